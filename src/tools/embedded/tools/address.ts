/** Normalises addresses as people write them. */
import { ToolFailure } from '../failure.ts';

const ALLOWED = new Set(['http:', 'https:', 'about:', 'data:', 'blob:']);

/** @example addressOf('example.com/a') // 'https://example.com/a' */
export function addressOf(written: string): string {
  const text = written.trim();
  const host = /^(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i;
  // "host:8080/path" looks like a scheme but is not one.
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[a-z0-9.-]+:\d+(?:[/?#]|$)/i.test(text);
  const whole = hasScheme ? text : host.test(text) ? `http://${text}` : `https://${text}`;
  const parsed = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!parsed)
    throw new ToolFailure(
      'bad_argument',
      `"${written}" is not a valid address.`,
      'Give one like "https://example.com/".',
    );
  if (!ALLOWED.has(parsed.protocol)) {
    throw new ToolFailure(
      'bad_argument',
      `Addresses of the kind "${parsed.protocol}" can't be loaded.`,
      'Give an http or https address.',
    );
  }
  return parsed.href;
}
