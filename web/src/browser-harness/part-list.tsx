import { PartLink, type PartState } from './part.tsx';

const PARTS = ['Scope', 'Target', 'Judge', 'Preflight', 'Output', 'Import'] as const;

/** The way through the page at a glance. A part that is not needed is named, and leads nowhere. */
export function PartList({ states }: { states: Readonly<Record<string, PartState>> }) {
  return (
    <nav aria-label="Parts of this page">
      <ol className="harness-parts">
        {PARTS.map((name, index) => {
          const text = states[name]?.text;
          return (
            <li key={name} className={states[name]?.tone === 'good' ? 'harness-parts-done' : undefined}>
              <span className="part-number" aria-hidden="true">
                {index + 1}
              </span>
              {text === 'not needed' ? <span>{name}</span> : <PartLink name={name}>{name}</PartLink>}
              {text && <span className="muted">{text}</span>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
