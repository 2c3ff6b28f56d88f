/** The address that a response gives. What is ignored and what counts is said in cases/questions/read-url.ts. */
import { type Checker, findUrls, readUrl, type UrlRead, withoutMarkdown } from '../../cases/index.ts';
import { type CheckResult, checkError, fail, passIf, quote } from './check-result.ts';
import { type Given, givenValue } from './given-value.ts';
import { statedAnswer } from './stated-answer.ts';

type UrlOptions = Partial<Extract<Checker, { kind: 'url' }>>;

export function checkUrl(response: string, expected: string, options: UrlOptions = {}): CheckResult {
  const right = readUrl(expected);
  if (!right) return checkError('The expected address is not the address of a web page.');
  const given = givenUrl(response, options);
  if ('problem' in given) return fail({ reason: given.problem, expected: quote(expected) });
  const difference = differs(given.value, right, options);
  const reason = difference === undefined ? 'The address is right.' : `The address differs: ${difference}.`;
  return passIf(difference === undefined, { reason, found: quote(given.value.text), expected: quote(expected) });
}

/** An address without a scheme is one only where the response, or what it states, is nothing else. */
function givenUrl(response: string, options: UrlOptions): Given<UrlRead> {
  const isSame = (a: UrlRead, b: UrlRead): boolean => differs(a, b, { ...options, match: 'equal' }) === undefined;
  const given = givenValue(response, { name: 'address', keepsMarkdown: true, find: findUrls, isSame });
  if ('value' in given) return given;
  const text = withoutMarkdown(response.slice(0, 10_000));
  const alone = readUrl((statedAnswer(text) ?? text).trim().replace(/^["'<]+|[">'.,;]+$/g, ''));
  return alone && findUrls(text).length === 0 ? { value: alone } : given;
}

function differs(said: UrlRead, right: UrlRead, options: UrlOptions): string | undefined {
  const { match = 'equal', host = 'equal', query = 'equal', fragment = 'ignore', ignored_params = [] } = options;
  const place = (url: UrlRead): string => (host === 'ignore' || right.host === '' ? url.path : url.host + url.path);
  const [is, wanted] = [place(said), place(right)];
  if (match === 'contains' ? !is.includes(wanted) : is !== wanted)
    return `it is ${quote(is, 100)}, not ${quote(wanted, 100)}`;
  if (fragment === 'equal' && said.fragment !== right.fragment) return 'it has another fragment';
  if (query === 'ignore') return undefined;
  const ignored = new Set(ignored_params);
  const parameters = ({ query: all }: UrlRead): string[] =>
    all.filter(([name]) => !ignored.has(name)).map(([name, value]) => `${name}=${value}`);
  const [has, needs] = [parameters(said), parameters(right)];
  const missing = without(needs, has)[0];
  if (missing !== undefined) return `the parameter ${quote(missing, 100)} is missing`;
  const extra = query === 'subset' ? undefined : without(has, needs)[0];
  return extra === undefined ? undefined : `the parameter ${quote(extra, 100)} is not expected`;
}

/** The first list without as many equal entries as the second has. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of other) counts.set(one, (counts.get(one) ?? 0) + 1);
  return list.filter((one) => {
    const left = counts.get(one) ?? 0;
    counts.set(one, left - 1);
    return left <= 0;
  });
}
