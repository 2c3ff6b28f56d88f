/** One request against one rule: everything that they disagree on. */
import { decodedText, type NetworkRule } from '../../cases/index.ts';
import { isText } from './comparable-text.ts';
import { addressMismatches, type WantedAddress } from './compare-address.ts';
import { isExpected } from './compare-value.ts';
import { readContent } from './read-content.ts';
import type { FieldReader } from './read-fields.ts';
import type { Mismatch, SeenRequest } from './rule-result.ts';
import { isMatch } from './text-patterns.ts';

export interface Comparison {
  readonly mismatches: readonly Mismatch[];
  /** Why something could not be compared. */
  readonly unknown?: string;
}

export interface ComparedRule {
  readonly rule: NetworkRule;
  readonly address: WantedAddress;
  readonly referer: WantedAddress | undefined;
  readonly fields: ReadonlyMap<string, FieldReader>;
}

export function compareRequest(request: SeenRequest, compared: ComparedRule): Comparison {
  const { rule, address } = compared;
  const { method = 'GET', status = 200 } = rule;
  const body = contentMismatches('body', request, compared);
  // What a response is and holds is known once it has come.
  const response = request.open ? OPEN : contentMismatches('response', request, compared);
  const mismatches = [
    ...(request.method.toUpperCase() === method.toUpperCase()
      ? []
      : [{ what: 'method', expected: method, actual: request.method }]),
    ...addressMismatches('url', address, request.url, rule),
    ...(request.open || (request.status ?? 'none') === status
      ? []
      : [{ what: 'status', expected: status, actual: request.status ?? request.failed ?? 'none' }]),
    ...headerMismatches(request, compared),
    ...body.mismatches,
    ...response.mismatches,
    ...(request.open ? [] : cookieMismatches(request, rule)),
  ];
  const unknown = body.unknown ?? response.unknown;
  return { mismatches, ...(unknown === undefined ? {} : { unknown }) };
}

export const REFERER = 'referer';

const OPEN: Comparison = {
  mismatches: [],
  unknown: 'How the request ended is not known: its tab, or the attempt, ended before.',
};

function headerMismatches(request: SeenRequest, { rule, referer }: ComparedRule): Mismatch[] {
  return Object.entries(rule.headers ?? {}).flatMap(([name, expected]) => {
    const actual = request.headers?.[name.toLowerCase()];
    if (actual !== undefined && referer && name.toLowerCase() === REFERER)
      return addressMismatches('headers.referer', referer, actual, rule);
    return isOneOf(expected, actual) ? [] : [{ what: `headers.${name}`, expected, actual: actual ?? null }];
  });
}

function cookieMismatches(request: SeenRequest, rule: NetworkRule): Mismatch[] {
  return Object.entries(rule.cookies ?? {}).flatMap(([name, expected]) => {
    const actual = request.cookies?.[name];
    // Values of cookies are often written like those of an address.
    return isOneOf(expected, actual && decodedText(actual))
      ? []
      : [{ what: `cookies.${name}`, expected, actual: actual ?? null }];
  });
}

function contentMismatches(part: 'body' | 'response', request: SeenRequest, compared: ComparedRule): Comparison {
  const { rule, fields } = compared;
  const expected = rule[part];
  if (expected === undefined) return { mismatches: [] };
  const content = request[part];
  if (content && 'problem' in content) return { mismatches: [], unknown: content.problem };
  const value = content && readContent(content);
  if (value === undefined)
    return { mismatches: [{ what: part, expected, actual: content?.text.slice(0, 200) ?? null }] };
  const counted = part === 'body' ? withoutIgnored(value, rule) : value;
  const mismatches = Object.entries(expected).flatMap(([key, wanted]) => {
    const actual = fields.get(key)?.(counted);
    const format = part === 'body' ? rule.bodyFormats?.[key] : undefined;
    return isExpected(wanted, actual, format)
      ? []
      : [{ what: `${part}.${key}`, expected: wanted, actual: actual ?? null }];
  });
  return { mismatches };
}

function withoutIgnored(value: unknown, { ignoredBodyPatterns: patterns = [] }: NetworkRule): unknown {
  if (patterns.length === 0 || Array.isArray(value)) return value;
  const counts = ([name]: [string, unknown]): boolean => !patterns.some((pattern) => isMatch(pattern, name));
  return Object.fromEntries(Object.entries(Object(value)).filter(counts));
}

function isOneOf(expected: string | readonly string[], actual: string | undefined): boolean {
  const texts = typeof expected === 'string' ? [expected] : expected;
  return actual !== undefined && texts.some((text) => isText(text, actual));
}
