/** How the items divide: passed by both, by one, by none. A bar, and the same as numbers. */
import type { Comparison } from '../api/queries.ts';

const PARTS = [
  { key: 'both_pass', name: 'Both pass' },
  { key: 'only_a', name: 'Only A passes' },
  { key: 'only_b', name: 'Only B passes' },
  { key: 'both_fail', name: 'Both fail' },
  { key: 'unpaired', name: 'Not scored in both' },
] as const;

export function ChangeBar({ counts }: { counts: Comparison['counts'] }) {
  const total = PARTS.reduce((sum, { key }) => sum + counts[key], 0) || 1;
  let from = 0;
  return (
    <section className="panel" aria-labelledby="items-by-change">
      <h2 id="items-by-change">Items</h2>
      <svg className="change-bar" width="100%" height="20" aria-hidden="true">
        {PARTS.map(({ key }) => {
          const x = from;
          from += (counts[key] / total) * 100;
          return <rect key={key} className={`change-${key}`} x={`${x}%`} width={`${from - x}%`} y="0" height="20" />;
        })}
      </svg>
      <ul className="change-legend">
        {PARTS.map(({ key, name }) => (
          <li key={key}>
            <svg className="swatch" width="12" height="12" aria-hidden="true">
              <rect className={`change-${key}`} width="12" height="12" rx="2" />
            </svg>
            {name} <strong className="number">{counts[key]}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
