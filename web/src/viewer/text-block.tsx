/** A long text as it was recorded, and how much of it is missing. */
import type { Clipped } from '../../../src/view/index.ts';
import { ScrollBox } from '../ui/scroll-box.tsx';

export function TextBlock({ text: { text, length, isCut }, label }: { text: Clipped; label: string }) {
  if (text === '') return <p className="muted">Nothing.</p>;
  return (
    <>
      <ScrollBox label={label}>
        <pre className="v-text">{text}</pre>
      </ScrollBox>
      {isCut && (
        <p className="muted">
          The first {text.length} of {length} characters; the journal has more.
        </p>
      )}
    </>
  );
}
