/** What changed on a page, as sentences. */
import type { Change } from '../../../src/view/index.ts';
import { Tag } from './tones.tsx';

export function ChangeList({ changes, otherwise }: { changes: readonly Change[]; otherwise: string }) {
  if (changes.length === 0) return <p>{otherwise}</p>;
  return (
    <ul className="v-changes">
      {changes.map(({ sentence, entries = [], isBad }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes are never reordered
        <li key={index} className={isBad ? 'v-bad' : undefined}>
          {sentence}
          {entries.length > 0 && (
            <ul>
              {entries.map((entry, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries are never reordered
                <li key={place}>{entry}</li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

const IN_LINE = 4;

/** The first changes in one or two words each. */
export function ChangeTags({ changes }: { changes: readonly Change[] }) {
  const shown = changes.slice(0, IN_LINE);
  return (
    <>
      {shown.map(({ tag, isBad }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes are never reordered
        <Tag key={index} bad={isBad}>
          {tag}
        </Tag>
      ))}
      {changes.length > shown.length && <Tag>{`+${changes.length - shown.length}`}</Tag>}
    </>
  );
}
