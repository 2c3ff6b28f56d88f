/** Online-Mind2Web: a task on a public site, decided by WebJudge. */
import { z } from 'zod';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { rowImporter } from '../rows/row-importer.ts';
import { TASK_LIMITS } from '../tasks/task.ts';
import { liveTask, SITE_CHANGES } from './live-task.ts';

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

export const importMind2webRow = rowImporter({
  schema: rowSchema,
  idOf: ({ task_id }) => taskIdOf('online-mind2web', task_id),
  taskOf: (id, { task_id, confirmed_task, website, reference_length, level }, { allowWrites }) => ({
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
    why: SITE_CHANGES,
  }),
});
