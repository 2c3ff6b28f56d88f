/** The final answer against a checker. For a question, the item's own checker and answer where the spec has none. */
import * as z from 'zod';
import { type Checker, checkerSchema } from '../questions/checker-schema.ts';
import { expectedProblem, isMeasurable } from '../questions/measure.ts';
import { graderNameSchema } from './grader-name.ts';

export const answerSpecSchema = z
  .strictObject({
    grader: z.literal('answer'),
    name: graderNameSchema.optional(),
    /** By default `exact`, where there is an expected answer. */
    checker: checkerSchema.optional(),
    /** The right answer, where the checker needs one. For a checker of one value, a list means alternatives. */
    expected: z.json().optional(),
    /** The options of a `choice` or `multi_choice`. */
    choices: z.array(z.string().trim().min(1).max(2000)).min(2).max(26).optional(),
  })
  .superRefine((spec, context) => {
    const checker = specChecker(spec);
    if (!checker) return;
    const issue = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    const { expected, choices } = spec;
    const isChoice = checker.kind === 'choice' || checker.kind === 'multi_choice';
    if (checker.kind === 'judge') issue('checker', 'must not be "judge": name a grader that asks a model instead');
    if (isChoice && choices === undefined) issue('choices', `is required for ${checker.kind}`);
    else if (!isMeasurable({ checker, expected })) issue('expected', `is required for ${checker.kind}`);
    const problem = expectedProblem({ checker, expected, choices });
    if (problem !== undefined) issue('expected', problem);
  });
export type AnswerSpec = z.infer<typeof answerSpecSchema>;

/** Undefined where the spec says nothing: then the case's own checker is meant. */
export function specChecker({ checker, expected }: Pick<AnswerSpec, 'checker' | 'expected'>): Checker | undefined {
  return checker ?? (expected === undefined ? undefined : { kind: 'exact' });
}
