/** BrowserOS: rows of several benchmarks that name the graders of its evaluation, most of which are judges. */
import { z } from 'zod';
import type { GraderSpec } from '../graders/grader-spec.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import { NotPortable, type TaskOfRow } from '../rows/imported-row.ts';
import { rowId, rowText, taskIdOf, webAddress } from '../rows/row-fields.ts';
import { rowImporter } from '../rows/row-importer.ts';
import { liveTask } from './live-task.ts';

type Judge = 'webvoyager' | 'webjudge' | 'rubric' | 'performance';

/** Our judge for each of theirs. */
const JUDGES: Readonly<Record<string, Judge>> = {
  webvoyager_grader: 'webvoyager',
  mind2web_judge: 'webjudge',
  fara_combined: 'rubric',
  fara_alignment: 'rubric',
  fara_rubric: 'rubric',
  fara_multimodal: 'rubric',
  performance_grader: 'performance',
};
const CODE: Readonly<Record<string, () => NotPortable>> = {
  agisdk_state_diff: () =>
    new NotPortable('Its criteria are in the files of REAL: import those with --format real.', 'state-diff'),
  infinity_state: () => new NotPortable('It needs an app server and a verifier in Python of the benchmark.', 'command'),
};

const rowSchema = z.object({
  query_id: rowId,
  dataset: rowText.max(100),
  query: rowText,
  graders: z
    .array(
      z.string().refine((name) => Object.hasOwn(JUDGES, name) || Object.hasOwn(CODE, name), {
        error: `must be one of ${[...Object.keys(JUDGES), ...Object.keys(CODE)].join(', ')}`,
      }),
    )
    .max(20)
    .optional(),
  start_url: webAddress.optional(),
  setup_script: z.string().optional(),
  metadata: z.object({
    original_task_id: z.string().max(500),
    website: z.string().max(500).optional(),
    category: z.string().min(1).max(500).optional(),
    additional: z.looseObject({ ground_truth: z.string().max(3_000).optional() }).optional(),
  }),
});
type Row = z.infer<typeof rowSchema>;

export const importBrowserosRow = rowImporter({
  schema: rowSchema,
  idOf: ({ query_id }) => taskIdOf('browseros', query_id),
  taskOf,
});

function taskOf(id: string, row: Row, { allowWrites }: ImportOptions): TaskOfRow {
  if (row.setup_script !== undefined) throw new NotPortable('It runs a script before it starts (setup_script).');
  const [judge = 'rubric', ...more] = judgesOf(row);
  const { category, additional } = row.metadata;
  const truth = additional?.ground_truth;
  return {
    task: liveTask(
      {
        id,
        // Rows without a site start where the agent wants to.
        startUrl: row.start_url ?? 'about:blank',
        goal: row.query,
        about: [
          `BrowserOS, ${row.dataset}, ${row.query_id}.`,
          ...(truth === undefined ? [] : [`Reference answer: ${truth}`]),
        ].join(' '),
        ...(category === undefined ? {} : { category }),
        graders: [judge, ...more].map((grader): GraderSpec => ({ grader })),
        decidedBy: judge,
      },
      allowWrites,
    ),
    notes: [],
    why: row.graders === undefined ? 'It names no grader.' : 'It names a judge.',
  };
}

/** The first decides. Where a row names none, WebJudge looks at the site, and a rubric at the answer where there is no site. */
function judgesOf({ graders = [], start_url }: Row): Judge[] {
  for (const name of graders) {
    const refusal = CODE[name];
    if (refusal) throw refusal();
  }
  const named = graders.flatMap((name) => JUDGES[name] ?? []);
  if (named.length > 0) return [...new Set(named)];
  return [start_url === undefined ? 'rubric' : 'webjudge'];
}
