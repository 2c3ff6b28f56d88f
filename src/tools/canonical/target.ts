/** How an action names its element, in a form that works for every server. */
import { z } from 'zod';

export const Point = z.tuple([z.number(), z.number()]);

const fields = {
  selector: z
    .string()
    .min(1)
    .optional()
    .describe('CSS; ">>>" goes into an open shadow root or a frame: "#outer >>> button"'),
  role: z.string().min(1).optional().describe('Role, e.g. "button"; with name'),
  name: z.string().optional().describe('Accessible name for role; a part of it is enough unless exact'),
  text: z.string().min(1).optional().describe('Visible text; a part of it is enough unless exact'),
  ref: z
    .string()
    .min(1)
    .optional()
    .describe("The server's own name of the element; such a transcript is for that server only"),
  at: Point.optional().describe('[x, y] in the viewport, in CSS pixels'),
  exact: z.boolean().optional(),
  nth: z.number().int().min(1).optional().describe('Which one, from 1, where several fit'),
};

export const Target = z.strictObject(fields).superRefine((given, context) => {
  const kinds = (['selector', 'role', 'text', 'ref', 'at'] as const).filter((kind) => given[kind] !== undefined);
  const problem = (message: string): void => context.addIssue({ code: 'custom', message });
  if (kinds.length !== 1) problem('name the element by exactly one of selector, role (with name), text, ref and at');
  if (given.name !== undefined && given.role === undefined) problem('name goes with role');
  if (given.exact !== undefined && given.role === undefined && given.text === undefined)
    problem('exact goes with role and name, or text');
});
export type Target = z.infer<typeof Target>;

/** A description for messages. */
export function describeTarget(target: Target): string {
  const { selector, role, name, text, ref, at } = target;
  if (selector !== undefined) return `element "${selector}"`;
  if (role !== undefined) return `${role}${name === undefined ? '' : ` "${name}"`}`;
  if (text !== undefined) return `text "${text}"`;
  return at ? `point (${at.join(', ')})` : `ref "${ref}"`;
}
