/** How an answer is checked, as data. Without a checker, the item's type decides. */
import { z } from 'zod';
import { patternProblem } from './pattern.ts';

const text = z.string().min(1).max(10_000).refine(isStorable, { error: 'must not hold NUL or half a surrogate pair' });
const texts = z.array(text).min(1).max(100);
const tolerance = z.number().nonnegative();

export const checkerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('exact'),
    /** Further correct answers besides `answer`. */
    accept: texts.optional(),
    case_sensitive: z.boolean().optional(),
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
    kind: z.literal('json'),
    /** The response may have more keys than the answer. */
    subset: z.boolean().optional(),
    abs_tol: tolerance.optional(),
    rel_tol: tolerance.optional(),
  }),
  z.strictObject({ kind: z.literal('judge') }),
]);

export type Checker = z.infer<typeof checkerSchema>;

/** PostgreSQL's text type cannot store NUL or half a surrogate pair, and RFC 8785 has no form for the latter. */
export function isStorable(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
