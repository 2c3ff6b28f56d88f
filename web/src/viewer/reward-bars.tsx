/** A bar per step, above the line or below it; the scale is that of a reward, −1 to 1. It says in words what it shows. */
import { signed } from '../../../src/view/texts.ts';

const STEP = 6;
const HALF = 12;

export function RewardBars({ scores, large = false }: { scores: readonly number[]; large?: boolean }) {
  if (scores.length === 0) return <span className="muted">none</span>;
  const width = scores.length * STEP;
  const words = `Reward of each step: ${scores.map(signed).join(', ')}.`;
  return (
    <svg
      className={large ? 'v-bars v-bars-large' : 'v-bars'}
      role="img"
      aria-label={words}
      width={width}
      height={HALF * 2}
      viewBox={`0 0 ${width} ${HALF * 2}`}
    >
      <line className="v-zero" x1="0" x2={width} y1={HALF} y2={HALF} />
      {scores.map((score, index) => {
        const height = Math.max(1, Math.round(Math.abs(score) * HALF * 10) / 10);
        const tone = score > 0 ? 'up' : score < 0 ? 'down' : 'flat';
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
            key={index}
            className={`v-bar-${tone}`}
            x={index * STEP + 1}
            y={score > 0 ? HALF - height : HALF}
            width={STEP - 2}
            height={height}
          />
        );
      })}
    </svg>
  );
}
