/** Graders that are the user's own code. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

const timeoutMs = z.int().min(1).max(600_000).optional();

export const commandSpecSchema = z.strictObject({
  grader: z.literal('command'),
  name: graderNameSchema.optional(),
  /** The program and its arguments; no shell. A relative path is relative to the task's file. */
  command: z.array(z.string().min(1)).min(1).max(100),
  timeoutMs,
});
export type CommandSpec = z.infer<typeof commandSpecSchema>;

export const moduleSpecSchema = z.strictObject({
  grader: z.literal('module'),
  name: graderNameSchema.optional(),
  /** A file whose default export is a grader; relative to the task's file. */
  file: z.string().min(1),
  /** Given to the grader as it is. */
  config: z.json().optional(),
  timeoutMs,
});
export type ModuleSpec = z.infer<typeof moduleSpecSchema>;
