/** Numbers and times as people read them. */

/** 0.8333 → "83.3 %"; null → "–". */
export function percent(ratio: number | null, digits = 1): string {
  return ratio === null ? '–' : `${(ratio * 100).toFixed(digits)} %`;
}

/** Percentage points, with their sign. */
export function points(difference: number | null): string {
  if (difference === null) return '–';
  const rounded = (difference * 100).toFixed(1);
  return `${difference > 0 ? '+' : ''}${rounded.replace('-', '−')} points`;
}

export function duration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1_000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "3 items", "1 item". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

export function bytes(n: number): string {
  if (n < 1_000) return `${n} bytes`;
  return n < 1_000_000 ? `${(n / 1_000).toFixed(1)} kB` : `${(n / 1_000_000).toFixed(1)} MB`;
}

/** What is not known is not zero. */
export function tokens({ input_tokens: read, output_tokens: written }: Usage): string {
  if (read === null && written === null) return 'unknown';
  const shown = (n: number | null) => n?.toLocaleString('en') ?? 'unknown';
  return `${shown(read)} read, ${shown(written)} written`;
}

export function cost({ cost_usd: usd }: Usage): string {
  return usd === null ? 'unknown' : `$${usd < 0.01 ? usd.toFixed(6) : usd.toFixed(2)}`;
}

export interface Usage {
  input_tokens: number | null;
  output_tokens: number | null;
  cost_usd: number | null;
}

export const UNKNOWN_USAGE: Usage = { input_tokens: null, output_tokens: null, cost_usd: null };

const TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** In the reader's own zone and way. */
export function dateTime(iso: string | null): string {
  return iso === null ? '–' : TIME.format(new Date(iso));
}

export function shortHash(hash: string): string {
  return hash.slice(0, 10);
}
