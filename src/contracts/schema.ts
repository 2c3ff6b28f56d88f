/**
 * The contract language: fifteen kinds of assertion. Types, validation and the JSON Schema are all derived from it.
 * The field names are an interchange format and must not change.
 */
import * as z from 'zod';
import { exactlyOneOf } from './exactly-one-of.ts';
import { MAX_OPTIONS, MAX_STATUSES, MAX_STRING_BYTES } from './limits.ts';
import { compilePattern } from './pattern.ts';
import { parseSelector } from './selector.ts';
import { classIdProblem, jsonProblem, pageUrlProblem, stringProblem } from './string-problem.ts';

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

const pageUrl = text(
  "The assertion is about this page, which the harness opens in the same session once the attempt has ended. An http or https address, or a path at the start URL's origin.",
  pageUrlProblem,
).exactOptional();

const op = z.enum(['eq', 'gte', 'lte']).meta({ description: 'How the observed number compares with the value.' });
const count = (description: string) => z.int().min(0).meta({ description });
const version = z.literal(1).meta({ description: 'Version of this kind.' });
const number = z.number().meta({ description: 'The number to compare with.' }).exactOptional();
const tolerance = z
  .number()
  .min(0)
  .meta({ description: 'How far the number may miss the value; without it, not at all.' })
  .exactOptional();
const maxAge = z.number().min(0).meta({ description: 'Facts older than this many milliseconds are not looked at.' });
const status = z.int().min(100).max(599);

const leaves = {
  url: z.strictObject({
    kind: z.literal('url'),
    pattern: pattern("Must match the top frame's URL."),
  }),
  dom_text: exactlyOneOf(
    [['contains'], ['equals'], ['pattern']],
    z.strictObject({
      kind: z.literal('dom_text'),
      selector: selector('The first match is read; without a selector, the body.').exactOptional(),
      contains: text('The text that must be contained, case-sensitive.').exactOptional(),
      equals: text('The whole text, case-sensitive; runs of white space count as one space.').exactOptional(),
      pattern: pattern('Must match the text.').exactOptional(),
      page_url: pageUrl,
    }),
  ),
  dom_value: exactlyOneOf(
    [['equals'], ['pattern'], ['checked'], ['selected'], ['op', 'value']],
    z.strictObject({
      kind: z.literal('dom_value'),
      selector: selector('The form control; the first match is read.'),
      equals: text('The whole value, case-sensitive.').exactOptional(),
      pattern: pattern('Must match the value.').exactOptional(),
      checked: z.boolean().meta({ description: 'Whether the control is checked.' }).exactOptional(),
      selected: z
        .union([z.boolean(), text('A label or value.'), z.array(text('A label or value.')).max(MAX_OPTIONS)])
        .meta({
          description:
            'Of an option: whether it is selected. Of a select: the options that are selected, and no others, each by its label or its value.',
        })
        .exactOptional(),
      op: op.exactOptional(),
      value: number,
      tolerance,
      page_url: pageUrl,
    }),
  ),
  dom_count: z.strictObject({
    kind: z.literal('dom_count'),
    selector: selector('What is counted.'),
    op,
    value: count('The number of elements to compare with.'),
    page_url: pageUrl,
  }),
  network: z.strictObject({
    kind: z.literal('network'),
    url_pattern: pattern("Must match the response's URL."),
    status_in: z
      .array(z.union([status, z.literal('blocked')]))
      .min(1)
      .max(MAX_STATUSES)
      .meta({
        description:
          'Status codes that count. "blocked": a request that could have changed something, and that the harness did not send.',
      }),
    since: z
      .enum(['contract_enter', 'last_tool_call'])
      .meta({ description: 'Responses before this moment do not count.' }),
  }),
  screenshot_class: z.strictObject({
    kind: z.literal('screenshot_class'),
    class_id: text('The class of pictures, which is the name of a folder.', classIdProblem),
    distance_max: z.int().min(0).max(64).meta({ description: 'Bits of the 64-bit perceptual hash that may differ.' }),
  }),
  no_dialog: z.strictObject({ kind: z.literal('no_dialog') }),
  script: exactlyOneOf(
    [['equals'], ['pattern'], ['op', 'value']],
    z.strictObject({
      kind: z.literal('script'),
      expression: name("An expression that is evaluated in the page's own world. It should only read."),
      equals: z
        .unknown()
        .check((context) => {
          const message = jsonProblem(context.value);
          if (message !== undefined) context.issues.push({ code: 'custom', message, input: context.value });
        })
        .meta({ description: 'The JSON value that the expression must have.' })
        .exactOptional(),
      pattern: pattern('Must match the value, which is a text, a number or a boolean.').exactOptional(),
      op: op.exactOptional(),
      value: number,
      tolerance,
      forgeable: z
        .literal(true)
        .meta({ description: 'Says that an agent that may run code in the page can make this value up.' }),
      page_url: pageUrl,
    }),
  ),
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
  leaves.dom_value,
  leaves.dom_count,
  leaves.network,
  leaves.screenshot_class,
  leaves.no_dialog,
  leaves.script,
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
const anything = z.unknown().refine((value) => value !== undefined, 'is missing; expected an assertion.');

/** One schema per assertion, without its children: `parseContract` visits those itself, so that no input can exhaust the stack. */
export const nodeSchemas: { readonly [K in Kind]: z.ZodObject } = {
  ...leaves,
  and: z.strictObject({ kind: z.literal('and'), children: anyList }),
  or: z.strictObject({ kind: z.literal('or'), children: anyList }),
  not: z.strictObject({ kind: z.literal('not'), child: anything }),
};

export const KINDS = Object.keys(nodeSchemas);

export const isKind = (value: unknown): value is Kind => typeof value === 'string' && Object.hasOwn(nodeSchemas, value);
