/** The address of a request against those that a rule names, with the query. */
import {
  type Alternative,
  compileAddresses,
  fold,
  isTextPattern,
  type NetworkRule,
  type Query,
  readAddress,
} from '../../cases/index.ts';
import { isText } from './comparable-text.ts';
import { isSameList } from './compare-value.ts';
import type { Mismatch } from './rule-result.ts';
import { isMatch } from './text-patterns.ts';
import { isSameInFormat } from './value-formats.ts';

type Addresses = string | readonly string[];

/** Those of the alternatives that the request fits, whatever its query. */
export function fitting(urls: Addresses, url: string, rule: NetworkRule, startUrl: string): Alternative[] {
  const { decodeBase64Query } = rule;
  const address = readAddress(url, decodeBase64Query);
  if (!address) return [];
  return compileAddresses({ url: urls, decodeBase64Query }, startUrl).filter((each) => each.fits(address));
}

/** `query`: instead of the queries in the addresses. */
export function addressMismatches(
  { what, urls, query }: { what: string; urls: Addresses; query?: NetworkRule['query'] },
  url: string,
  rule: NetworkRule,
  startUrl: string,
): Mismatch[] {
  const fits = fitting(urls, url, rule, startUrl);
  if (fits.length === 0) return [{ what, expected: urls, actual: url }];
  const given = readAddress(url, rule.decodeBase64Query)?.query ?? new Map();
  const wanted: Query | undefined =
    query && new Map(Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]));
  const differences = fits.map((each) => [...queryMismatches(wanted ?? each.query, given, rule)]);
  return differences.find((each) => each.length === 0) ?? differences[0] ?? [];
}

function* queryMismatches(expected: Query, actual: Query, rule: NetworkRule): Iterable<Mismatch> {
  const { ignoredQuery = [], ignoredQueryPatterns = [], queryFormats = {} } = rule;
  for (const name of new Set([...expected.keys(), ...actual.keys()])) {
    if (ignoredQuery.includes(name)) continue;
    if (ignoredQueryPatterns.some((pattern) => isMatch(pattern, name, { ignoreCase: true }))) continue;
    const wanted = filled(expected.get(name));
    const given = filled(actual.get(name));
    const format = queryFormats[name];
    const isSame = (one: string, other: string): boolean =>
      format === undefined ? isParameter(one, other) : isSameInFormat(one, other, format);
    if (!isSameList(wanted, given, isSame)) yield { what: `query.${name}`, expected: wanted, actual: given };
  }
}

/** A parameter that is missing and one that is empty are the same. */
function filled(values: readonly string[] = []): readonly string[] {
  const present = values.filter((value) => value !== '');
  return present.length > 0 ? present : [''];
}

/** Without case and white space at the ends, and otherwise as it is: `in-progress` is not `in progress` here. */
function isParameter(expected: string, actual: string): boolean {
  return isTextPattern(expected) ? isText(expected, actual) : fold(expected) === fold(actual);
}
