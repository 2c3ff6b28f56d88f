/** `suite.json` in a folder of tasks: what its cases have in common. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { messageOf } from '../../errors/index.ts';
import { gradingFields, gradingProblems, nameOfSpec } from '../graders/grader-spec.ts';
import { readTaskText } from './read-task-text.ts';
import { type TaskProblem, taskProblems } from './task-problem.ts';

export const SUITE_FILE = 'suite.json';

const suiteFileSchema = z
  .strictObject({ $schema: z.string().optional(), about: z.string().optional(), ...gradingFields })
  .superRefine((suite, context) => {
    for (const problem of gradingProblems(suite)) context.addIssue({ code: 'custom', ...problem });
  });
export type SuiteDefaults = Pick<z.infer<typeof suiteFileSchema>, 'graders' | 'decidedBy'>;

export type ReadSuite = { defaults: SuiteDefaults } | { source: string; problems: TaskProblem[] };

/** Without a file there are no defaults. */
export function readSuiteFile(folder: string): ReadSuite {
  const source = path.join(folder, SUITE_FILE);
  if (!existsSync(source)) return { defaults: {} };
  let value: unknown;
  try {
    value = JSON.parse(readTaskText(source));
  } catch (error) {
    return { source, problems: [{ path: '$', code: 'not_json', message: `no JSON: ${messageOf(error)}` }] };
  }
  const parsed = suiteFileSchema.safeParse(value);
  if (parsed.success) return { defaults: parsed.data };
  return { source, problems: parsed.error.issues.flatMap((issue) => [...taskProblems(issue, Object(value))]) };
}

/** A task's own graders stand above those of its suite that have the same name. */
export function withDefaults(task: unknown, { graders, decidedBy }: SuiteDefaults): unknown {
  if (typeof task !== 'object' || task === null || (graders === undefined && decidedBy === undefined)) return task;
  const own = 'graders' in task ? task.graders : undefined;
  if (own !== undefined && !Array.isArray(own)) return task;
  const names = new Set((own ?? []).map((spec) => Object(spec).name ?? Object(spec).grader));
  const shared = (graders ?? []).filter((spec) => !names.has(nameOfSpec(spec)));
  const all = [...(own ?? []), ...shared];
  return {
    ...(decidedBy === undefined ? {} : { decidedBy }),
    ...task,
    ...(all.length > 0 ? { graders: all } : {}),
  };
}
