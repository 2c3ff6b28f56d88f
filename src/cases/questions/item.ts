/** One question of a dataset: its fields, and the rules between them. */
import { z } from 'zod';
import { MAX_ID, MAX_PROMPT } from '../limits.ts';
import { type Checker, checkerSchema, isStorable } from './checker-schema.ts';
import { expectedProblem } from './measure.ts';

export const ITEM_TYPES = ['mcq_single', 'mcq_multi', 'freeform', 'numeric', 'regex', 'judge'] as const;

const STORABLE = { error: 'must not hold NUL or half a surrogate pair' };
const MAX_REST = 100_000;

const fields = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(MAX_ID)
    .refine((id) => !/[\p{Cc}\p{Cs}]/u.test(id) && id.trim() === id, {
      error: 'must have no control characters and no spaces around it',
    }),
  type: z.enum(ITEM_TYPES),
  section: z.string().trim().min(1).max(200).refine(isStorable, STORABLE).default('main'),
  prompt_text: z
    .string()
    .max(MAX_PROMPT)
    .refine((prompt) => prompt.trim() !== '', { error: 'must not be empty' })
    .refine(isStorable, STORABLE),
  choices: z.array(z.string().trim().min(1).max(2000).refine(isStorable, STORABLE)).min(2).max(26).optional(),
  answer: z.json().optional(),
  checker: checkerSchema.optional(),
  criteria: z.string().trim().min(1).max(20_000).refine(isStorable, STORABLE).optional(),
  meta: z.record(z.string(), z.json()).default({}),
});

export const itemSchema = fields.superRefine((item, context) => {
  for (const { path, message } of disagreements(item)) context.addIssue({ code: 'custom', path: [path], message });
  for (const path of ['answer', 'meta'] as const) {
    const value = item[path];
    if (!everyString(value, isStorable)) context.addIssue({ code: 'custom', path: [path], message: STORABLE.error });
    if ((JSON.stringify(value) ?? '').length > MAX_REST) {
      context.addIssue({ code: 'custom', path: [path], message: `is longer than ${MAX_REST} characters` });
    }
  }
});

export type Item = z.infer<typeof fields>;

interface Disagreement {
  readonly path: keyof Item;
  readonly message: string;
}

function disagreements(item: Item): Disagreement[] {
  const found: Disagreement[] = [];
  const { type, choices, answer, checker } = item;
  const isChoice = type === 'mcq_single' || type === 'mcq_multi';
  if (isChoice && choices === undefined) found.push({ path: 'choices', message: `is required for ${type}` });
  if (choices && new Set(choices.map((choice) => choice.toLowerCase())).size < choices.length) {
    found.push({ path: 'choices', message: 'has the same option twice' });
  }
  if (checker?.kind === 'choice' && type !== 'mcq_single') {
    found.push({ path: 'checker', message: 'choice is for mcq_single' });
  }
  if (checker?.kind === 'multi_choice' && type !== 'mcq_multi') {
    found.push({ path: 'checker', message: 'multi_choice is for mcq_multi' });
  }
  if (answer !== undefined && answer !== null) found.push(...wrongAnswer(item));
  return found;
}

/** Of an item that names no checker. */
const CHECKER_OF_TYPE: Readonly<Record<Item['type'], Checker>> = {
  mcq_single: { kind: 'choice' },
  mcq_multi: { kind: 'multi_choice' },
  freeform: { kind: 'exact' },
  numeric: { kind: 'numeric' },
  regex: { kind: 'regex' },
  judge: { kind: 'exact' },
};

function wrongAnswer({ type, choices, answer, checker = CHECKER_OF_TYPE[type] }: Item): Disagreement[] {
  const message = expectedProblem({ checker, expected: answer, choices });
  return message === undefined ? [] : [{ path: 'answer', message }];
}

/** Only values: keys were checked when the JSON was read. */
function everyString(value: unknown, isGood: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isGood(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((inner) => everyString(inner, isGood));
}
