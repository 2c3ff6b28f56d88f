/** What people say of an attempt. */
import * as z from 'zod';

/** `not_executable`: the case could not be carried out at all, so that there is nothing that a grader could get right. */
export type Label = 'pass' | 'fail' | 'not_executable';

const LABELS: ReadonlyMap<unknown, Label> = new Map<unknown, Label>([
  ...['pass', '1', 1].map((word) => [word, 'pass'] as const),
  ...['fail', '0', 0].map((word) => [word, 'fail'] as const),
  ...['not_executable', '2', 2].map((word) => [word, 'not_executable'] as const),
]);

/** Numbers and their texts as the human labels of Online-Mind2Web have them. */
export const labelSchema = z.union([z.string(), z.number()]).transform((word, context): Label => {
  const label = LABELS.get(word);
  if (label !== undefined) return label;
  const shown = JSON.stringify(word).slice(0, 60);
  context.addIssue(`must be "pass" or 1, "fail" or 0, or "not_executable" or 2; not ${shown}`);
  return z.NEVER;
});
