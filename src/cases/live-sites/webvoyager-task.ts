/** WebVoyager: a question on a public site, decided by its judge. Its reference answers are of 2024, so no fact decides. */
import { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import { checkedTask, type ImportedRow } from '../rows/imported-row.ts';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { liveTask } from './live-task.ts';

const rowSchema = z
  .object({ web_name: rowText.max(100), id: rowId, ques: rowText, web: webAddress })
  .superRefine(({ web_name, id }, context) => {
    const number = id.startsWith(`${web_name}--`) ? id.slice(web_name.length + 2) : '';
    if (!/^\d{1,6}$/.test(number))
      context.addIssue({ code: 'custom', path: ['id'], message: 'must be the name of the site, "--" and a number' });
  });

export function importWebvoyagerRow(given: unknown, { allowWrites, answers }: ImportOptions): ImportedRow {
  const parsed = rowSchema.safeParse(given);
  if (!parsed.success) return { result: 'invalid', reason: sentenceOf(parsed.error) };
  const { id, web_name, ques, web } = parsed.data;
  const taskId = taskIdOf('webvoyager', id);
  const answer = answers?.get(id);
  return checkedTask(taskId, () => ({
    task: liveTask(
      {
        id: taskId,
        startUrl: web,
        goal: ques,
        about: [`WebVoyager, ${id}.`, ...(answer === undefined ? [] : [`Reference answer: ${answer}`])].join(' '),
        category: web_name,
        graders: [{ grader: 'webvoyager' }],
        decidedBy: 'webvoyager',
      },
      allowWrites,
    ),
    notes: [],
    why: 'What the site shows changes, so the benchmark asks a judge.',
  }));
}

const referenceSchema = z.record(
  z.string(),
  z.object({
    notice: z.string().max(4_000).optional(),
    answers: z
      .array(z.object({ id: z.int().min(0), type: z.enum(['golden', 'possible']), ans: z.string().max(3_000) }))
      .max(10_000),
  }),
);

/** Reference answers by the id of the row. They are kept for people; the agent does not see them. */
export function readReferenceAnswers(value: unknown): Map<string, string> | { problem: string } {
  const parsed = referenceSchema.safeParse(value);
  if (!parsed.success) return { problem: sentenceOf(parsed.error) };
  return new Map(
    Object.entries(parsed.data).flatMap(([name, { answers }]) =>
      answers.map(({ id, type, ans }) => [`${name}--${id}`, `${ans} (${type})`] as const),
    ),
  );
}
