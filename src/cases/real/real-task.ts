/** REAL (AGI SDK): the state that the site shows at `/finish` by JMESPath, and questions about the answer by a judge. */
import { compile } from 'jmespath';
import { z } from 'zod';
import type { StateDiffSpec } from '../graders/state-diff-spec.ts';
import { ANSWERED, MAX_DURATION_MS, NotPortable, type TaskOfRow, titleOf } from '../rows/imported-row.ts';
import { gradingOf, rubricOf } from '../rows/judged.ts';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { rowImporter } from '../rows/row-importer.ts';

const stateEval = z.object({
  type: z.literal('jmespath'),
  query: z.string().min(1).max(10_000).refine(isQuery, { error: 'must be a JMESPath expression' }),
  expected_value: z.json(),
  description: z.string().max(2_000).optional(),
});
const answerEval = z.object({
  type: z.literal('llm_boolean'),
  rubric: rowText.max(1_900),
  expected_value: z.literal(true),
});

const common = {
  id: rowId,
  goal: rowText,
  website: z.object({ id: rowId, name: rowText.max(200), url: webAddress }),
  difficulty: z.enum(['easy', 'medium', 'hard']),
  challengeType: z.enum(['action', 'retrieval', 'retrieval-action', 'no-action']),
  possible: z.boolean(),
};
const rowSchema = z.discriminatedUnion('version', [
  z.object({
    ...common,
    version: z.literal('v1'),
    evals: z
      .array(z.discriminatedUnion('type', [stateEval, answerEval]))
      .min(1)
      .max(100),
  }),
  z.object({
    ...common,
    version: z.literal('v2'),
    evals: z
      .array(z.object({ script: rowText.max(200) }))
      .min(1)
      .max(100),
  }),
]);
type Row = z.infer<typeof rowSchema>;

export const importRealRow = rowImporter({
  schema: rowSchema,
  idOf: ({ version, id }) => taskIdOf(`real-${version}`, id),
  taskOf,
});

function taskOf(id: string, row: Row): TaskOfRow {
  if (row.version === 'v2') {
    const names = row.evals.map(({ script }) => script).join(', ');
    throw new NotPortable(`It is judged by a script in Python of the benchmark (${names}).`, 'command');
  }
  const criteria = row.evals.filter((one) => one.type === 'jmespath');
  const questions = row.evals.filter((one) => one.type === 'llm_boolean').map(({ rubric }) => aboutAnswer(rubric));
  const host = new URL(row.website.url).hostname;
  return {
    task: {
      id,
      title: titleOf(row.goal),
      startUrl: row.website.url,
      goal: `${row.goal}\nWhen you are done, answer what was asked, or say what you did.`,
      about: `REAL ${row.version}, ${row.id}: ${row.challengeType} on ${row.website.name}.`,
      maxDurationMs: MAX_DURATION_MS,
      success: ANSWERED,
      tags: [row.difficulty, row.challengeType],
      category: row.website.id,
      // The sites are made for this, and each browser has its own state.
      network: { mode: 'live', allowWrites: [host] },
      ...gradingOf(stateSpecs(criteria), questions.length > 0 ? [rubricOf(questions)] : [], false),
    },
    notes: row.possible ? [] : ['The benchmark says that it cannot be done.'],
    ...(questions.length > 0 ? { why: 'A model is asked about the answer (llm_boolean).' } : {}),
  };
}

function stateSpecs(criteria: readonly z.infer<typeof stateEval>[]): StateDiffSpec[] {
  if (criteria.length === 0) return [];
  return [
    {
      grader: 'state-diff',
      stateUrl: '/finish',
      criteria: criteria.map(({ query, expected_value, description }) => ({
        query,
        expected: expected_value,
        ...(description === undefined ? {} : { description }),
      })),
    },
  ];
}

function aboutAnswer(rubric: string): string {
  return `About the answer of the agent: ${rubric}`;
}

function isQuery(query: string): boolean {
  try {
    compile(query);
    return true;
  } catch {
    // What can't be compiled is refused with the row's place.
    return false;
  }
}
