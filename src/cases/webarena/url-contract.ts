/**
 * WebArena's `url_match` as a contract. Its rule "GOLD in PRED": host and path of one of the addresses are contained in those of the page,
 * and of each query parameter that any of them has, the page has one of the values.
 */
import { type Assertion, escapePattern } from '../../contracts/index.ts';
import { NotPortable } from '../rows/imported-row.ts';
import { type Sites, withSites } from '../rows/sites.ts';

export function urlContract(reference: string, note: string | undefined, sites: Sites): Assertion[] {
  if (note !== undefined && note !== 'GOLD in PRED')
    throw new NotPortable(`Its rule for addresses is "${note.slice(0, 100)}".`);
  const urls = reference.split(' |OR| ').map((one) => {
    const given = withSites(one, sites).trim().replace(/\/+$/, '');
    if (!URL.canParse(given)) throw new NotPortable(`Its reference "${given.slice(0, 200)}" is not an address.`);
    return new URL(given);
  });
  const places = urls.map(({ host, pathname }) => escapePattern(host + pathname.replace(/\/+$/, '')));
  const values = new Map<string, Set<string>>();
  for (const { searchParams } of urls)
    for (const [name, value] of searchParams) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [
    { kind: 'url', pattern: `^[a-z]+://[^?#]*(?:${places.join('|')})` },
    ...[...values].map(([name, allowed]): Assertion => {
      const forms = [...allowed].flatMap(formsOf).join('|');
      return { kind: 'url', pattern: `[?&](?:${formsOf(name).join('|')})=(?:${forms})(?:&|#|$)` };
    }),
  ];
}

/** VisualWebArena's rule: the whole address is one of these ("EXACT"), or holds one of them ("GOLD in PRED"). A slash at the end does not count. */
export function exactUrlContract(reference: string, note: string | undefined, sites: Sites): Assertion[] {
  const urls = reference.split(' |OR| ').map((one) => withSites(one, sites).trim().replace(/\/$/, ''));
  const wrong = urls.find((url) => !URL.canParse(url));
  if (wrong !== undefined) throw new NotPortable(`Its reference "${wrong.slice(0, 200)}" is not an address.`);
  const any = `(?:${urls.map(escapePattern).join('|')})`;
  if (note === 'GOLD in PRED') return [{ kind: 'url', pattern: any }];
  if (note === undefined || note === 'EXACT') return [{ kind: 'url', pattern: `^${any}/?$` }];
  throw new NotPortable(`Its rule for addresses is "${note.slice(0, 100)}".`);
}

/** The ways in which browsers and sites write a value in a query. */
function formsOf(text: string): string[] {
  const encoded = encodeURIComponent(text);
  const form = new URLSearchParams([['', text]]).toString().slice(1);
  return [...new Set([text, encoded, encoded.replaceAll('%20', '+'), form, encodeURI(text)])].map(escapePattern);
}
