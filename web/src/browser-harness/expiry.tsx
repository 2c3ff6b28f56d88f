/** Until when a pack is valid, counted down in words. */
import { useEffect, useState } from 'react';
import { dateTime } from '../ui/format.ts';
import { untilWords } from './until-words.ts';

const MINUTE = 60_000;

export function Expiry({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE / 4);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(at) - now;
  if (left <= 0) return <strong className="field-error">Expired on {dateTime(at)}: make a new pack.</strong>;
  return (
    <>
      in {untilWords(left)} <span className="muted">({dateTime(at)})</span>
    </>
  );
}
