/**
 * The contract language: thirteen kinds of assertion. Types, validation and the JSON Schema are all derived from it.
 * The field names are an interchange format and must not change.
 */
import * as z from 'zod';
import { MAX_STATUSES, MAX_STRING_BYTES } from './limits.ts';
import { compilePattern } from './pattern.ts';
import { parseSelector } from './selector.ts';
import { stringProblem } from './string-problem.ts';

/** A string within the limits. `problemOf` returns a further problem, as the rest of a sentence about the string. */
const text = (description: string, problemOf?: (value: string) => string | undefined) =>
  z
    .string()
    .check((context) => {
      const message = stringProblem(context.value) ?? problemOf?.(context.value);
      if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
    })
    .meta({ description, maxLength: MAX_STRING_BYTES });

const pattern = (description: string) =>
  text(
    `${description} Regular expression in RE2 syntax, without lookaround and backreferences; it may match anywhere in the text.`,
    (value) => {
      const compiled = compilePattern(value);
      return compiled.ok ? undefined : `cannot be used: ${compiled.problem}`;
    },
  );

const selector = (description: string) =>
  text(
    `${description} A CSS selector; ">>>" steps into the open shadow root or the same-process iframe of what stands before it.`,
    (value) => {
      const parsed = parseSelector(value);
      return parsed.ok ? undefined : `is not a valid selector: ${parsed.problem}`;
    },
  );

const name = (description: string) => text(description, (value) => (value === '' ? 'must not be empty.' : undefined));

const op = z.enum(['eq', 'gte', 'lte']).meta({ description: 'How the observed number compares with the value.' });
const count = (description: string) => z.int().min(0).meta({ description });
const version = z.literal(1).meta({ description: 'Version of this kind.' });
const maxAge = z.number().min(0).meta({ description: 'Facts older than this many milliseconds are not looked at.' });
const status = z.int().min(100).max(599);

const leaves = {
  url: z.strictObject({
    kind: z.literal('url'),
    pattern: pattern("Must match the top frame's URL."),
  }),
  dom_text: z.strictObject({
    kind: z.literal('dom_text'),
    selector: selector('The first match is read; without a selector, the body.').exactOptional(),
    contains: text('The text that must be contained, case-sensitive.'),
  }),
  dom_count: z.strictObject({
    kind: z.literal('dom_count'),
    selector: selector('What is counted.'),
    op,
    value: count('The number of elements to compare with.'),
  }),
  network: z.strictObject({
    kind: z.literal('network'),
    url_pattern: pattern("Must match the response's URL."),
    status_in: z.array(status).min(1).max(MAX_STATUSES).meta({ description: 'Status codes that count.' }),
    since: z
      .enum(['contract_enter', 'last_tool_call'])
      .meta({ description: 'Responses before this moment do not count.' }),
  }),
  screenshot_class: z.strictObject({
    kind: z.literal('screenshot_class'),
    class_id: name('The class of pictures.'),
    distance_max: z.int().min(0).max(64).meta({ description: 'Bits of the 64-bit perceptual hash that may differ.' }),
  }),
  no_dialog: z.strictObject({ kind: z.literal('no_dialog') }),
  image_qa: z.strictObject({
    kind: z.literal('image_qa'),
    question: name('What a model is asked about the screenshot.'),
    expected_pattern: pattern("Must match the model's answer."),
  }),
  answer: z.strictObject({
    kind: z.literal('answer'),
    pattern: pattern("Must match the agent's final answer."),
  }),
  performance: z.strictObject({
    kind: z.literal('performance'),
    schema_version: version,
    metric: name('Name of the metric.'),
    unit: z.enum(['ms', 'seconds', 'bytes', 'count']).meta({ description: 'Unit of the value.' }),
    op,
    value: z.number().min(0).meta({ description: 'The number to compare with.' }),
    max_age_ms: maxAge,
  }),
  console: z.strictObject({
    kind: z.literal('console'),
    schema_version: version,
    type: name('Only entries of this type, as Chromium names it: log, info, warning, error, …').exactOptional(),
    message_pattern: pattern('Only entries whose message matches.').exactOptional(),
    uncaught: z
      .boolean()
      .meta({ description: 'Only uncaught exceptions (true), or only other entries (false).' })
      .exactOptional(),
    op,
    value: count('The number of entries to compare with.'),
    max_age_ms: maxAge,
  }),
};

const and = z.strictObject({
  kind: z.literal('and'),
  get children() {
    return z.array(contractSchema).min(1).meta({ description: 'All of these must pass.' });
  },
});
const or = z.strictObject({
  kind: z.literal('or'),
  get children() {
    return z.array(contractSchema).min(1).meta({ description: 'One of these must pass.' });
  },
});
const not = z.strictObject({
  kind: z.literal('not'),
  get child() {
    return contractSchema;
  },
});

/** The whole language, except for the limits on depth and number, which a schema cannot express: `parseContract` checks those. */
export const contractSchema = z.discriminatedUnion('kind', [
  leaves.url,
  leaves.dom_text,
  leaves.dom_count,
  leaves.network,
  leaves.screenshot_class,
  leaves.no_dialog,
  leaves.image_qa,
  leaves.answer,
  leaves.performance,
  leaves.console,
  and,
  or,
  not,
]);

/** A contract: one assertion, which may contain others. */
export type Contract = z.infer<typeof contractSchema>;
export type Kind = Contract['kind'];
export type Leaf = z.infer<(typeof leaves)[keyof typeof leaves]>;
export type LeafOf<K extends Leaf['kind']> = Extract<Leaf, { kind: K }>;
export type Op = z.infer<typeof op>;

const anyList = z.array(z.unknown()).min(1);
const anything = z.unknown().refine((value) => value !== undefined);

/** One schema per assertion, without its children: `parseContract` visits those itself, so that no input can exhaust the stack. */
export const nodeSchemas: { readonly [K in Kind]: z.ZodObject } = {
  ...leaves,
  and: z.strictObject({ kind: z.literal('and'), children: anyList }),
  or: z.strictObject({ kind: z.literal('or'), children: anyList }),
  not: z.strictObject({ kind: z.literal('not'), child: anything }),
};

export const KINDS = Object.keys(nodeSchemas);

export const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(nodeSchemas, value);
