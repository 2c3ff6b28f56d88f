/**
 * Signs in an agent's own output that its model's provider failed. An exit code does not tell a dead provider from a failed task, and some
 * agents exit with 0. Only what an agent says itself is read here (stderr, its error events), never text of pages.
 */
import type { CallFailureCode } from '../../models/index.ts';

export interface Trouble {
  readonly code: CallFailureCode;
  /** As the end of a sentence that begins with "the provider of its model". */
  readonly means: string;
}

interface Sign extends Trouble {
  readonly pattern: RegExp;
}

/** A status stands beside a word that makes it one: a number alone may be anything. */
const status = (codes: string): RegExp =>
  new RegExp(`(?:status(?:\\s*code)?|http(?:/[\\d.]+)?|error|code|response)["'\\s:=(]{1,4}(?:${codes})\\b`, 'i');

const SIGNS: readonly Sign[] = [
  {
    pattern:
      /\b(invalid|incorrect|missing|expired)[ _]api[ _-]?key\b|api key not valid|authentication_error|unauthorized/i,
    code: 'key_refused',
    means: 'refused the key',
  },
  { pattern: status('401|403'), code: 'key_refused', means: 'refused the key' },
  {
    pattern: /rate[ _-]?limit|too many requests|RESOURCE_EXHAUSTED|insufficient_quota/i,
    code: 'rate_limited',
    means: 'limits the rate of requests',
  },
  { pattern: status('429'), code: 'rate_limited', means: 'limits the rate of requests' },
  {
    pattern: /internal server error|service unavailable|bad gateway|overloaded|high demand/i,
    code: 'server_error',
    means: 'answered with a server error',
  },
  { pattern: status('5\\d\\d'), code: 'server_error', means: 'answered with a server error' },
  {
    pattern: /ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|socket hang up|fetch failed|connection error/i,
    code: 'network',
    means: 'could not be reached',
  },
];

/** What a line says of the provider; undefined where it says nothing of it. */
export function providerTrouble(line: string): Trouble | undefined {
  return SIGNS.find(({ pattern }) => pattern.test(line));
}
