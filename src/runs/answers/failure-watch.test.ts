import { expect, test } from 'vitest';
import type { ItemErrorCode } from '../../models/index.ts';
import { FailureWatch, OUTAGE, SAME_REFUSALS } from './failure-watch.ts';

const answered = { error: null, http_status: null };
const failed = (code: ItemErrorCode, message = `${code}!`, http_status: number | null = null) => ({
  error: { code, message },
  http_status,
});
/** What the watch says to each, one after the other. */
function seen(...ends: Parameters<FailureWatch['see']>[0][]): (string | undefined)[] {
  const watch = new FailureWatch();
  return ends.map((end) => watch.see(end));
}
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test('a key that is not set and an address that is refused end it at once', () => {
  expect(seen(answered, failed('key_missing'))).toEqual([undefined, 'key_missing!']);
  expect(seen(failed('address_refused'))).toEqual(['address_refused!']);
});

test('the same refusal ends it at the third time in a row; an answer between begins anew', () => {
  const unknown = (id: number) => failed('refused', `No such model (request ${id}).`, 404);
  expect(SAME_REFUSALS).toBe(3);
  expect(seen(unknown(1), unknown(2), unknown(3))).toEqual([undefined, undefined, 'No such model (request 3).']);
  expect(seen(unknown(1), unknown(2), answered, unknown(3), unknown(4)).at(-1)).toBeUndefined();
});

test('refusals of single items, each in its own words, end nothing', () => {
  const long = (tokens: number) => failed('refused', `${tokens} tokens are too many.`, 400);
  expect(seen(...[1, 2, 3, 4, 5].map(long))).toEqual(times(5, undefined));
  expect(seen(...times(3, long(9))).at(-1)).toBe('9 tokens are too many.');
});

test('an outage ends it after many items; replies that are no good do not, they are replies', () => {
  const down = failed('server_error', 'The endpoint replied 500.', 500);
  expect(seen(...times(OUTAGE - 1, down))).toEqual(times(OUTAGE - 1, undefined));
  expect(seen(...times(OUTAGE, down)).at(-1)).toBe(
    '20 items in a row were not served. The last: The endpoint replied 500.',
  );
  expect(seen(...times(OUTAGE - 1, down), failed('bad_reply'), down).at(-1)).toBeUndefined();
  expect(seen(...times(50, failed('empty_response')), ...times(50, failed('bad_reply')))).toEqual(
    times(100, undefined),
  );
});
