/** How rewards and paths of the attempts are spread: a bar per range, and the numbers in words. */
import { useMemo } from 'react';
import type { AttemptRow } from '../../../src/view/index.ts';
import { type Bin, binsOf } from '../plots/histogram.ts';
import { Panel } from './panel.tsx';

export function RunPlots({ rows }: { rows: readonly AttemptRow[] }) {
  const ended = useMemo(() => rows.filter(({ wandering }) => wandering !== undefined), [rows]);
  const rewards = useMemo(() => ended.flatMap(({ rewardSum }) => rewardSum ?? []), [ended]);
  const without = useMemo(() => ended.map(({ wandering }) => wandering?.noProgress ?? 0), [ended]);
  const looped = useMemo(() => ended.map(({ wandering }) => wandering?.loopedSteps ?? 0), [ended]);
  const efficiency = useMemo(() => ended.flatMap(({ wandering }) => wandering?.efficiency ?? []), [ended]);
  if (ended.length === 0) return null;
  return (
    <div className="columns">
      <Panel title="Reward">
        <Histogram title="Sum of each attempt" values={rewards} />
      </Panel>
      <Panel title="Wandering">
        <Histogram title="Times without progress" values={without} />
        <Histogram title="Steps in loops" values={looped} />
        {efficiency.length > 0 && (
          <Histogram title="Length of the known solution divided by the steps taken" values={efficiency} />
        )}
      </Panel>
    </div>
  );
}

const HEIGHT = 64;
const WIDTH = 320;

function Histogram({ title, values }: { title: string; values: readonly number[] }) {
  const bins = useMemo(() => binsOf(values), [values]);
  if (values.length === 0) return <p className="muted">{title}: none.</p>;
  const [first = 0] = values;
  if (values.every((value) => value === first))
    return (
      <p>
        {title}: <span className="number">{round(first)}</span>{' '}
        <span className="muted">{values.length === 1 ? 'in the only attempt' : `in each of ${values.length}`}</span>
      </p>
    );
  const most = Math.max(...bins.map(({ count }) => count));
  const words = `${title}, over ${values.length} attempts: ${bins
    .filter(({ count }) => count > 0)
    .map(binText)
    .join(', ')}.`;
  const width = WIDTH / bins.length;
  return (
    <figure className="v-plot">
      <figcaption>{title}</figcaption>
      <svg role="img" aria-label={words} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <line className="v-zero" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
        {bins.map((bin, index) => {
          const height = (bin.count / most) * (HEIGHT - 2);
          return (
            <rect
              key={bin.from}
              className="v-plot-bar"
              x={index * width + 1}
              width={Math.max(1, width - 2)}
              y={HEIGHT - height}
              height={height}
            >
              <title>{binText(bin)}</title>
            </rect>
          );
        })}
      </svg>
      <p className="v-plot-axis muted number">
        <span>{round(bins[0]?.from ?? 0)}</span>
        <span>{round(bins.at(-1)?.to ?? 0)}</span>
      </p>
    </figure>
  );
}

function binText({ from, to, count }: Bin): string {
  return `${count} from ${round(from)} to ${round(to)}`;
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}
