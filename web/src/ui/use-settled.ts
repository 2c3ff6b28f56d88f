import { useEffect, useState } from 'react';

const SETTLE_MS = 250;

/** A value that has stopped changing, for requests to the server during typing. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
