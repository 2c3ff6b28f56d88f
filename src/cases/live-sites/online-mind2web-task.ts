/** Online-Mind2Web: a task on a public site, decided by WebJudge. */
import { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import { checkedTask, type ImportedRow } from '../rows/imported-row.ts';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { TASK_LIMITS } from '../tasks/task.ts';
import { liveTask } from './live-task.ts';

const rowSchema = z.object({
  task_id: rowId,
  confirmed_task: rowText,
  website: webAddress,
  reference_length: z.int().min(1).max(1_000),
  level: z.enum(['easy', 'medium', 'hard']),
});

/** A person's way is short; an agent may try more. */
const STEPS_PER_REFERENCE = 3;
const FEWEST_STEPS = 30;

export function importMind2webRow(given: unknown, { allowWrites }: ImportOptions): ImportedRow {
  const parsed = rowSchema.safeParse(given);
  if (!parsed.success) return { result: 'invalid', reason: sentenceOf(parsed.error) };
  const { task_id, confirmed_task, website, reference_length, level } = parsed.data;
  const id = taskIdOf('online-mind2web', task_id);
  return checkedTask(id, () => ({
    task: liveTask(
      {
        id,
        startUrl: website,
        goal: confirmed_task,
        about: `Online-Mind2Web, ${task_id}. People needed ${reference_length} steps.`,
        tags: [level],
        maxSteps: Math.min(TASK_LIMITS.maxSteps, Math.max(FEWEST_STEPS, STEPS_PER_REFERENCE * reference_length)),
        graders: [{ grader: 'webjudge' }],
        decidedBy: 'webjudge',
      },
      allowWrites,
    ),
    notes: [],
    why: 'What the site shows changes, so the benchmark asks a judge.',
  }));
}
