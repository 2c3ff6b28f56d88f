/** WebVoyager: a question on a public site, decided by its judge. Its reference answers are of 2024, so no fact decides. */
import { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { rowImporter } from '../rows/row-importer.ts';
import { liveTask, SITE_CHANGES } from './live-task.ts';

const rowSchema = z
  .object({ web_name: rowText.max(100), id: rowId, ques: rowText, web: webAddress })
  .superRefine(({ web_name, id }, context) => {
    const number = id.startsWith(`${web_name}--`) ? id.slice(web_name.length + 2) : '';
    if (!/^\d{1,6}$/.test(number))
      context.addIssue({ code: 'custom', path: ['id'], message: 'must be the name of the site, "--" and a number' });
  });

export const importWebvoyagerRow = rowImporter({
  schema: rowSchema,
  idOf: ({ id }) => taskIdOf('webvoyager', id),
  taskOf(id, row, { allowWrites, answers }) {
    const answer = answers?.get(row.id);
    return {
      task: liveTask(
        {
          id,
          startUrl: row.web,
          goal: row.ques,
          about: [`WebVoyager, ${row.id}.`, ...(answer === undefined ? [] : [`Reference answer: ${answer}`])].join(' '),
          category: row.web_name,
          graders: [{ grader: 'webvoyager' }],
          decidedBy: 'webvoyager',
        },
        allowWrites,
      ),
      notes: [],
      why: SITE_CHANGES,
    };
  },
});

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
