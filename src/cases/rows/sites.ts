/** The sites of WebArena are placeholders in its files (`__SHOPPING__`); the user says where they are. */
import { escapePattern } from '../../contracts/index.ts';
import { isTextPattern } from '../graders/text-pattern.ts';
import { NotPortable } from './imported-row.ts';

/** Addresses by name, as in `SHOPPING`. */
export type Sites = Readonly<Record<string, string>>;

const PLACEHOLDER = /__([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)__/g;

/** @throws NotPortable where a site has no address. */
export function withSites(text: string, sites: Sites): string {
  return text.replace(PLACEHOLDER, (_, name: string) => addressOf(name, sites));
}

/** The same in a text that may be a pattern (`^…$`), where the address means just itself. */
export function withSitesInPattern(text: string, sites: Sites): string {
  if (!isTextPattern(text)) return withSites(text, sites);
  return text.replace(PLACEHOLDER, (_, name: string) => escapePattern(addressOf(name, sites)));
}

/** In every text of a value of JSON. */
export function deepWithSites(value: unknown, sites: Sites): unknown {
  if (typeof value === 'string') return withSitesInPattern(value, sites);
  if (Array.isArray(value)) return value.map((one) => deepWithSites(one, sites));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deepWithSites(one, sites)]));
}

function addressOf(name: string, sites: Sites): string {
  const address = Object.hasOwn(sites, name) ? sites[name] : undefined;
  if (address === undefined) throw new NotPortable(`It names the site ${name}, and no --site says where that is.`);
  return address.replace(/\/+$/, '');
}
