/** Who did what when: one row per lane. */
import type { AttemptView } from '../../../src/view/index.ts';
import { seconds } from '../../../src/view/texts.ts';

/** Units of a row; the drawing is stretched to the width of the page. */
const WIDTH = 1000;
const HEIGHT = 24;
/** A bar that is shorter would not be seen. */
const LEAST = 1.5;
const TICKS = 4;

type TimelineView = NonNullable<AttemptView['timeline']>;

interface Props {
  timeline: TimelineView;
  onStep: (seq: number) => void;
}

export function Timeline({ timeline: { durationMs, rows, leftOut }, onStep }: Props) {
  if (rows.length === 0 || durationMs <= 0) return null;
  const ticks = Array.from({ length: TICKS + 1 }, (_, index) => (durationMs * index) / TICKS);
  return (
    <div className="v-timeline">
      {rows.map((row) => (
        <Lane key={row.executorId ?? row.role} row={row} durationMs={durationMs} ticks={ticks} onStep={onStep} />
      ))}
      <div className="v-lane v-lane-axis" aria-hidden="true">
        <span className="v-lane-name" />
        <span className="v-ticks">
          {ticks.map((ms) => (
            <span key={ms}>{seconds(ms)}</span>
          ))}
        </span>
      </div>
      <p className="muted">
        <span className="v-key v-key-thinking" /> model thinks <span className="v-key v-key-call" /> tool works{' '}
        <span className="v-key v-key-failed" /> with an error
        {rows.some(({ delegations }) => delegations.length > 0) && (
          <>
            {' '}
            <span className="v-key v-key-asked" /> delegated
          </>
        )}
        {leftOut > 0 && ` · ${leftOut} later bars are left out`}
      </p>
    </div>
  );
}

interface LaneProps {
  row: TimelineView['rows'][number];
  durationMs: number;
  ticks: readonly number[];
  onStep: (seq: number) => void;
}

function Lane({ row: { role, executorId = role, spans, delegations }, durationMs, ticks, onStep }: LaneProps) {
  const x = (ms: number): number => (ms / durationMs) * WIDTH;
  const width = (from: number, to: number): number => Math.max(LEAST, x(to - from));
  const calls = spans.filter(({ kind }) => kind === 'call').length;
  const words = `${executorId}: ${calls} calls, ${delegations.length} delegations.`;
  return (
    <div className="v-lane">
      <span className="v-lane-name">{executorId}</span>
      <svg role="img" aria-label={words} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {ticks.map((ms) => (
          <line key={ms} className="v-gridline" x1={x(ms)} x2={x(ms)} y1="0" y2={HEIGHT} />
        ))}
        {delegations.map(({ startedAt, endedAt, instruction, status }) => (
          <rect
            key={startedAt}
            className={`v-asked v-asked-${status}`}
            x={x(startedAt)}
            y="1"
            width={width(startedAt, endedAt)}
            height={HEIGHT - 2}
          >
            <title>{`${seconds(startedAt)} to ${seconds(endedAt)}, ${status}: ${instruction}`}</title>
          </rect>
        ))}
        {spans.map(({ kind, from, to, label, isError, seq }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list of steps does the same for the keyboard
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are never reordered
            key={index}
            className={`v-span-${kind}${isError ? ' v-span-failed' : ''}`}
            x={x(from)}
            y={kind === 'call' ? 6 : 9}
            width={width(from, to)}
            height={kind === 'call' ? 12 : 6}
            data-seq={seq}
            onClick={seq === undefined ? undefined : () => onStep(seq)}
          >
            <title>{`${label}, ${seconds(from)} to ${seconds(to)}${isError ? ', an error' : ''}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  );
}
