/** Requests that the witness must have seen, or must not have seen. The rules are those of WebArena-Verified. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';
import { compileTextPattern, isTextPattern } from './text-pattern.ts';

const text = z.string().max(10_000).superRefine(checkPattern);
const oneOrMore = z.union([text.min(1), z.array(text.min(1)).min(1).max(100)]);
const patterns = z.array(z.string().min(1).max(1_000).superRefine(checkSource)).max(100);
const names = z.array(z.string().min(1).max(1_000)).max(100);
const json = z.json().superRefine(checkTexts);

/**
 * What a value must be. A text is compared without case and small differences of writing; `^…$` is a pattern; `null`: there is no such
 * value. Of a list the order does not count; of an object the fields that are named here count. `{ "anyOf": […] }`: one of these.
 */
const expected = z.union([z.strictObject({ anyOf: z.array(json).min(1).max(100) }), json]);
export type ExpectedValue = z.infer<typeof expected>;

/** How a value is read before it is compared; by default as text. `list`: separated by commas, in any order. */
export const VALUE_FORMATS = ['number', 'currency', 'date', 'list', 'json', 'markdown'] as const;
export type ValueFormat = (typeof VALUE_FORMATS)[number];
const formats = z.record(z.string(), z.enum(VALUE_FORMATS));

export const networkRuleSchema = z
  .strictObject({
    /**
     * One address, or alternatives; without scheme and host, relative to the start page. `^…$` is a pattern on the address without its
     * query. The query of an address counts like `query`.
     */
    url: oneOrMore,
    /** By default GET. */
    method: z.string().min(1).max(20).optional(),
    /** By default 200. `none`: there was no response. */
    status: z.union([z.int().min(100).max(599), z.literal('none')]).optional(),
    /** All parameters, each with its value or values; instead of the query in the address. */
    query: z.record(z.string(), z.union([text, z.array(text).max(100)])).optional(),
    queryFormats: formats.optional(),
    /**
     * Fields of the data that was sent (JSON or a form), by name. A name that begins with `$` is a JSONPath; `$.^…$` is a pattern over
     * the names of fields.
     */
    body: z.record(z.string(), expected).optional(),
    bodyFormats: formats.optional(),
    /** The same of the JSON in the response. */
    response: z.record(z.string(), expected).optional(),
    /** Of the request. A `referer` is compared like an address. */
    headers: z.record(z.string(), oneOrMore).optional(),
    /** That the response sets. */
    cookies: z.record(z.string(), oneOrMore).optional(),
    /** By default true: of the requests with this address and method, only the last counts. Otherwise one of them must fit. */
    lastEventOnly: z.boolean().optional(),
    /** Only the last page that the browser went to counts, whatever its address. */
    lastNavigation: z.boolean().optional(),
    /** There must be no request with this address and method. */
    shouldNotExist: z.boolean().optional(),
    /** Parameters that do not count: by name, and by a pattern that is found in the name. */
    ignoredQuery: names.optional(),
    ignoredQueryPatterns: patterns.optional(),
    ignoredBodyPatterns: patterns.optional(),
    /** Parts of the path that are a query in base64 belong to the query. */
    decodeBase64Query: z.boolean().optional(),
  })
  .superRefine((rule, context) => {
    if (rule.shouldNotExist !== true) return;
    const useless = WITH_MATCH_ONLY.find((name) => rule[name] !== undefined);
    if (useless === undefined) return;
    const message = 'has no effect beside "shouldNotExist", which looks at the address and the method; leave it out';
    context.addIssue({ code: 'custom', path: [useless], message });
  });
export type NetworkRule = z.infer<typeof networkRuleSchema>;

const WITH_MATCH_ONLY = ['status', 'query', 'body', 'response', 'cookies', 'lastNavigation', 'lastEventOnly'] as const;

export const networkSpecSchema = z.strictObject({
  grader: z.literal('network'),
  name: graderNameSchema.optional(),
  /** All of them must hold. */
  expect: z.array(networkRuleSchema).min(1).max(50),
});
export type NetworkSpec = z.infer<typeof networkSpecSchema>;

function checkPattern(value: string, context: z.RefinementCtx): void {
  if (isTextPattern(value)) checkSource(value, context);
}

function checkSource(value: string, context: z.RefinementCtx): void {
  const compiled = compileTextPattern(value);
  if (compiled.ok) return;
  const message = `is a pattern that cannot be used: ${compiled.problem.replace(/\.$/, '')}`;
  context.addIssue({ code: 'custom', message });
}

/** Every text in a JSON value. */
function checkTexts(value: unknown, context: z.RefinementCtx): void {
  if (typeof value === 'string') checkPattern(value, context);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) checkTexts(inner, context);
}
