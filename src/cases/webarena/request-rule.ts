/** A NetworkEventEvaluator of WebArena-Verified as a rule of the grader `network`. */
import type { NetworkRule, ValueFormat } from '../graders/network-spec.ts';
import { deepWithSites, type Sites, withSitesInPattern } from '../rows/sites.ts';
import type { NetworkEvaluator, ResultSchema } from './verified-row.ts';

const FORMATS: Readonly<Record<string, ValueFormat>> = {
  number: 'number',
  integer: 'number',
  currency: 'currency',
  date: 'date',
  string_list: 'list',
  json: 'json',
  markdown: 'markdown',
};

export function requestRule(given: NetworkEvaluator, isNavigation: boolean, sites: Sites): NetworkRule {
  const { expected } = given;
  const method = expected.http_method ?? 'GET';
  const url =
    typeof expected.url === 'string'
      ? withSitesInPattern(expected.url, sites)
      : expected.url.map((one) => withSitesInPattern(one, sites));
  const headers = expected.headers && { headers: deepWithSites(expected.headers, sites) as NetworkRule['headers'] };
  const about = {
    url,
    ...(method.toUpperCase() === 'GET' ? {} : { method }),
    ...headers,
    ...(given.ignored_query_params && { ignoredQuery: given.ignored_query_params }),
    ...(given.ignored_query_params_patterns && { ignoredQueryPatterns: given.ignored_query_params_patterns }),
    ...(given.decode_base64_query && { decodeBase64Query: true }),
  };
  if (given.should_not_exist) return { ...about, shouldNotExist: true };
  return {
    ...about,
    ...statusOf(expected.response_status),
    ...(expected.query_params && { query: deepWithSites(expected.query_params, sites) as NetworkRule['query'] }),
    ...formatsOf('queryFormats', given.query_params_schema),
    ...(expected.post_data && { body: valuesOf(expected.post_data, given.post_data_schema, sites) }),
    ...formatsOf('bodyFormats', given.post_data_schema),
    ...(given.ignored_post_data_params_patterns && { ignoredBodyPatterns: given.ignored_post_data_params_patterns }),
    ...(expected.response_content && { response: valuesOf(expected.response_content, undefined, sites) }),
    ...(expected.response_cookies && {
      cookies: deepWithSites(expected.response_cookies, sites) as NetworkRule['cookies'],
    }),
    // Of a task that ends on a page, only the last page counts.
    ...(isNavigation && method.toUpperCase() === 'GET' ? { lastNavigation: true } : {}),
    ...(given.last_event_only === false && { lastEventOnly: false }),
  };
}

/** -1 stands there for a request without a response. */
function statusOf(status: number | undefined): Pick<NetworkRule, 'status'> {
  if (status === undefined || status === 200) return {};
  return { status: status < 0 ? 'none' : status };
}

/** A list is a list where the schema says so; otherwise its entries are alternatives. */
function valuesOf(
  values: Record<string, unknown>,
  schema: ResultSchema | undefined,
  sites: Sites,
): NetworkRule['body'] {
  const entries = Object.entries(values).map(([key, value]) => {
    const filled = deepWithSites(value, sites);
    const isChoice = Array.isArray(filled) && schema?.properties?.[key]?.type !== 'array';
    return [key, isChoice ? { anyOf: filled } : filled];
  });
  return Object.fromEntries(entries) as NetworkRule['body'];
}

function formatsOf<K extends 'queryFormats' | 'bodyFormats'>(
  name: K,
  schema: ResultSchema | undefined,
): { [key in K]?: Record<string, ValueFormat> } {
  const formats = Object.entries(schema?.properties ?? {}).flatMap(([key, property]): [string, ValueFormat][] => {
    const { format, type } = property.items ?? property;
    const known = FORMATS[format ?? type ?? ''];
    return known === undefined ? [] : [[key, known]];
  });
  return formats.length === 0
    ? {}
    : ({ [name]: Object.fromEntries(formats) } as { [key in K]?: Record<string, ValueFormat> });
}
