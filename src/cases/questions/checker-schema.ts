/** How an answer is checked, as data. Without a checker, the item's type decides. */
import { z } from 'zod';
import { patternProblem } from './pattern.ts';
import { isCurrencyCode } from './read-amount.ts';

const text = z.string().min(1).max(10_000).refine(isStorable, { error: 'must not hold NUL or half a surrogate pair' });
const texts = z.array(text).min(1).max(100);
const tolerance = z.number().nonnegative();

/** Kinds that look at the response as a whole. */
const simpleKinds = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exact'),
    /** Further correct answers besides `answer`. */
    accept: texts.optional(),
    case_sensitive: z.boolean().optional(),
    /** Trade marks, accents and hyphens inside words do not count. */
    loose: z.boolean().optional(),
    /** An answer of the form `^…$` is a regular expression for the whole response. */
    patterns: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('contains'),
    all: texts.optional(),
    any: texts.optional(),
    none: texts.optional(),
    case_sensitive: z.boolean().optional(),
    /** With it, "Au" is not found in "Australia". */
    whole_words: z.boolean().optional(),
  }),
  z.strictObject({ kind: z.literal('choice') }),
  /** The lowest F1 that passes. The default is 1, the exact set. */
  z.strictObject({ kind: z.literal('multi_choice'), threshold: z.number().gt(0).max(1).optional() }),
  z.strictObject({ kind: z.literal('numeric'), abs_tol: tolerance.optional(), rel_tol: tolerance.optional() }),
  z
    .strictObject({
      kind: z.literal('regex'),
      pattern: z.string().min(1).max(1000).optional(),
      /** `i` ignores case, `s` lets `.` match line breaks, `m` makes `^` and `$` match at lines. */
      flags: z
        .string()
        .regex(/^(?!.*(.).*\1)[ism]*$/, { error: 'may hold i, s and m, each once' })
        .optional(),
      full: z.boolean().optional(),
    })
    .superRefine(({ pattern }, context) => {
      const problem = pattern === undefined ? undefined : patternProblem(pattern);
      if (problem !== undefined) context.addIssue({ code: 'custom', path: ['pattern'], message: problem });
    }),
  z.strictObject({
    kind: z.literal('url'),
    /** `contains`: the host and path of the answer need only be contained in those of the response. */
    match: z.enum(['equal', 'contains']).optional(),
    host: z.enum(['equal', 'ignore']).optional(),
    /** `subset`: the response may have more parameters than the answer. */
    query: z.enum(['equal', 'subset', 'ignore']).optional(),
    ignored_params: texts.optional(),
    /** Ignored by default. */
    fragment: z.enum(['equal', 'ignore']).optional(),
  }),
  z.strictObject({
    kind: z.literal('date'),
    /** Which of 03/04/2024 is the month. Without it, such a date is ambiguous and fails. */
    order: z.enum(['mdy', 'dmy']).optional(),
  }),
  z.strictObject({
    kind: z.literal('currency'),
    /** The code of the currency that the answer is in; by default what the answer says. */
    currency: z
      .string()
      .refine(isCurrencyCode, { error: 'must be the code of a known currency, such as USD' })
      .optional(),
    /** A response that names no currency fails. */
    require_currency: z.boolean().optional(),
    /** Which mark of €1.234 is the decimal one. Without it, such an amount is ambiguous and fails. */
    decimal: z.enum(['.', ',']).optional(),
    abs_tol: tolerance.optional(),
    rel_tol: tolerance.optional(),
  }),
  z.strictObject({
    kind: z.literal('duration'),
    /** What 4:13 means. Without it, such a duration is ambiguous and fails. */
    clock: z.enum(['h:m', 'm:s']).optional(),
    /** In seconds. */
    abs_tol: tolerance.optional(),
    rel_tol: tolerance.optional(),
  }),
  z.strictObject({
    kind: z.literal('distance'),
    /** In metres. */
    abs_tol: tolerance.optional(),
    rel_tol: tolerance.optional(),
  }),
  z.strictObject({ kind: z.literal('judge') }),
]);

type JsonChecker = {
  kind: 'json';
  /** The response may have more keys than the answer. */
  subset?: boolean | undefined;
  abs_tol?: number | undefined;
  rel_tol?: number | undefined;
  /** Values of the outermost object that are compared by a checker of their own, by key. */
  keys?: Record<string, Checker> | undefined;
  /** In the outermost object, a missing key, an empty text and an empty list are the same as null. */
  empty_as_null?: boolean | undefined;
};

type ListChecker = {
  kind: 'list';
  /** The order counts. */
  ordered?: boolean | undefined;
  /** How elements are compared; by default as `exact` compares texts. */
  items?: Checker | undefined;
  /** How the elements of a text are told apart. By default JSON, then bullets or numbers, then lines, then `;`, then `,` and "and". */
  separator?: 'line' | 'semicolon' | 'comma' | undefined;
  /** The response may have more elements than the answer. */
  subset?: boolean | undefined;
};

/** The last two hold checkers themselves, so that their types are written out. */
export type Checker = z.infer<typeof simpleKinds> | JsonChecker | ListChecker;

const inner = z.lazy((): z.ZodType<Checker> => checkerSchema);

const kinds = z.discriminatedUnion('kind', [
  ...simpleKinds.options,
  z.strictObject({
    kind: z.literal('json'),
    subset: z.boolean().optional(),
    abs_tol: tolerance.optional(),
    rel_tol: tolerance.optional(),
    keys: z.record(z.string().max(200), inner).optional(),
    empty_as_null: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('list'),
    ordered: z.boolean().optional(),
    items: inner.optional(),
    separator: z.enum(['line', 'semicolon', 'comma']).optional(),
    subset: z.boolean().optional(),
  }),
]);

export const CHECKER_KINDS: readonly string[] = kinds.options.map(({ shape }) => shape.kind.value);

const MAX_DEPTH = 6;

/** A name of its own keeps the declarations of tasks from naming the whole module, which is not for browsers. */
export interface CheckerSchema extends z.ZodType<Checker> {}

export const checkerSchema: CheckerSchema = kinds.refine((checker) => depthOf(checker) <= MAX_DEPTH, {
  error: `must not be nested deeper than ${MAX_DEPTH} levels`,
});

function depthOf(checker: Checker): number {
  const inside =
    checker.kind === 'json' ? Object.values(checker.keys ?? {}) : checker.kind === 'list' ? [checker.items] : [];
  return 1 + Math.max(0, ...inside.map((one) => (one === undefined ? 0 : depthOf(one))));
}

/** PostgreSQL's text type cannot store NUL or half a surrogate pair, and RFC 8785 has no form for the latter. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
