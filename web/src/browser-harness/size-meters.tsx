import { useId } from 'react';
import { MAX_BOOKMARKLET } from '../../../src/capture/formats.ts';

/** Characters of an address, as far as it is known. The limit for the bookmarklet is the smallest of them, with a margin. */
const LIMITS = [
  { browser: 'Chrome, Edge', most: 2_097_152, note: 'documented' },
  { browser: 'Firefox', most: 65_536, note: 'bookmarks are cut there' },
  { browser: 'Safari', most: 80_000, note: 'about; not documented' },
] as const;

export function SizeMeters({ length }: { length: number }) {
  return (
    <div>
      <p className="label">
        Size: {length.toLocaleString('en')} characters{' '}
        <span className="muted">({MAX_BOOKMARKLET.toLocaleString('en')} are safe everywhere)</span>
      </p>
      <ul className="harness-meters">
        {LIMITS.map((limit) => (
          <Meter key={limit.browser} length={length} {...limit} />
        ))}
      </ul>
    </div>
  );
}

function Meter({ browser, most, note, length }: (typeof LIMITS)[number] & { length: number }) {
  const id = useId();
  return (
    <li>
      <span id={id}>
        {browser}: {length <= most ? 'fits' : 'too long'}{' '}
        <span className="muted">
          {most.toLocaleString('en')} ({note})
        </span>
      </span>
      <meter aria-labelledby={id} min={0} max={most} high={most * 0.92} value={Math.min(length, most)} />
    </li>
  );
}
