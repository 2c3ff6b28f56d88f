/** The address of a request against those that a rule names, with the query. */
import {
  type Alternative,
  compileAddresses,
  fold,
  isTextPattern,
  type NetworkRule,
  type Query,
  type RequestAddress,
  readAddress,
} from '../../cases/index.ts';
import { isText } from './comparable-text.ts';
import { isSameList } from './compare-value.ts';
import type { Mismatch } from './rule-result.ts';
import { isMatch } from './text-patterns.ts';
import { isSameInFormat } from './value-formats.ts';

/** What a rule says about one address of a request: its own, or its referer. */
export interface WantedAddress {
  /** As the rule has it. */
  readonly urls: string | readonly string[];
  readonly alternatives: readonly Alternative[];
  /** Instead of the queries in the addresses. */
  readonly query?: NetworkRule['query'];
  readonly read: AddressReader;
}

export type AddressReader = typeof readAddress;

/** Every rule looks at every request, and reading an address takes microseconds. */
export function addressReader(): AddressReader {
  const known = new Map<string, RequestAddress | undefined>();
  return (url, decodeBase64Query = false) => {
    const key = `${decodeBase64Query} ${url}`;
    if (!known.has(key)) known.set(key, readAddress(url, decodeBase64Query));
    return known.get(key);
  };
}

export function wantedAddress(
  urls: WantedAddress['urls'],
  rule: NetworkRule,
  { startUrl, read }: { startUrl: string; read: AddressReader },
  query?: NetworkRule['query'],
): WantedAddress {
  const { decodeBase64Query } = rule;
  return { urls, alternatives: compileAddresses({ url: urls, decodeBase64Query }, startUrl), query, read };
}

/** Those of the alternatives that the address fits, whatever its query. */
export function fitting({ alternatives, read }: WantedAddress, url: string, rule: NetworkRule): Alternative[] {
  const address = read(url, rule.decodeBase64Query);
  return address ? alternatives.filter((each) => each.fits(address)) : [];
}

export function addressMismatches(what: string, wanted: WantedAddress, url: string, rule: NetworkRule): Mismatch[] {
  const fits = fitting(wanted, url, rule);
  if (fits.length === 0) return [{ what, expected: wanted.urls, actual: url }];
  const given = wanted.read(url, rule.decodeBase64Query)?.query ?? new Map();
  const query = wanted.query && asQuery(wanted.query);
  const differences = fits.map((each) => [...queryMismatches(query ?? each.query, given, rule)]);
  return differences.find((each) => each.length === 0) ?? differences[0] ?? [];
}

function asQuery(query: NonNullable<NetworkRule['query']>): Query {
  return new Map(Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? [value] : value]));
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
