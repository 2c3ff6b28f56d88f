/** A row of WebArena-Verified as a task: the response by the grader `answer`, requests by the grader `network`. All of them must hold. */
import type { AnswerSpec } from '../graders/answer-spec.ts';
import type { Checker } from '../questions/checker-schema.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import { ANSWERED, MAX_DURATION_MS, NotPortable, type TaskOfRow, titleOf } from '../rows/imported-row.ts';
import { gradingOf } from '../rows/judged.ts';
import { rowImporter } from '../rows/row-importer.ts';
import { deepWithSites, type Sites, withSites } from '../rows/sites.ts';
import { requestRule } from './request-rule.ts';
import { listMeasure } from './result-measure.ts';
import { type ResponseEvaluator, type ResultSchema, type VerifiedRow, verifiedRowSchema } from './verified-row.ts';

export const importVerifiedRow = rowImporter({
  schema: verifiedRowSchema,
  idOf: ({ task_id }) => `webarena-verified-${task_id}`,
  taskOf,
});

/** Our words for the form of the answer, which the dataset leaves to the harness. */
const ANSWER_FORM = [
  'When you are done, answer with one JSON object:',
  '{"task_type": "RETRIEVE", "MUTATE" or "NAVIGATE", "status": "SUCCESS" or one of the errors below, "retrieved_data": a list, or null where nothing was to be found out, "error_details": a sentence or null}.',
  'Errors: NOT_FOUND_ERROR (what is meant is not there), ACTION_NOT_ALLOWED_ERROR (the site cannot do it), PERMISSION_DENIED_ERROR (this user may not do it), DATA_VALIDATION_ERROR (the data is missing or not valid), UNKNOWN_ERROR.',
].join('\n');

function taskOf(id: string, row: VerifiedRow, { sites }: ImportOptions): TaskOfRow {
  const [response, second] = row.eval.filter((one) => one.evaluator === 'AgentResponseEvaluator');
  if (!response || second) throw new NotPortable('It does not have one rule for the response.');
  const type = response.expected.task_type.toLowerCase();
  const requests = row.eval.filter((one) => one.evaluator === 'NetworkEventEvaluator');
  const expect = requests.map((one) => requestRule(one, type === 'navigate', sites));
  const answer = answerOf(response, type === 'retrieve', sites);
  const [startUrl = '', ...more] = row.start_urls.map((url) => withSites(url, sites));
  const goal = [row.intent, ...(more.length > 0 ? [`You can also use: ${more.join(', ')}`] : []), ANSWER_FORM].join(
    '\n',
  );
  const notes = notesOf(response.results_schema, row);
  const revision = row.revision === undefined ? '' : `, revision ${row.revision}`;
  return {
    task: {
      id,
      title: titleOf(row.intent),
      startUrl,
      goal,
      about: [`WebArena-Verified, task ${row.task_id}${revision}.`, ...notes].join(' '),
      maxDurationMs: MAX_DURATION_MS,
      success: ANSWERED,
      ...gradingOf(expect.length === 0 ? [answer] : [answer, { grader: 'network', expect }], [], false),
    },
    notes,
  };
}

function answerOf(
  { expected, results_schema, ordered = false }: ResponseEvaluator,
  isRetrieval: boolean,
  sites: Sites,
): AnswerSpec {
  const keys: Record<string, Checker> = { task_type: { kind: 'exact' }, status: { kind: 'exact' } };
  const right: Record<string, unknown> = { task_type: expected.task_type, status: expected.status };
  // Of other tasks, the data does not count.
  if (isRetrieval) {
    const data = expected.retrieved_data ?? null;
    const elements = Array.isArray(data) ? data : data === null ? [] : [data];
    const measure = listMeasure(
      results_schema?.items,
      elements.map((one) => deepWithSites(one, sites)),
      ordered,
    );
    if (elements.length > 0) keys['retrieved_data'] = measure.checker;
    right['retrieved_data'] = elements.length > 0 ? measure.expected : null;
  }
  return {
    grader: 'answer',
    checker: { kind: 'json', subset: true, empty_as_null: true, keys },
    expected: right as AnswerSpec['expected'],
  };
}

function notesOf(schema: ResultSchema | undefined, row: VerifiedRow): string[] {
  const notes = [`It needs a browser that is logged in at ${row.sites.join(' and ')}, where that has a login.`];
  if (JSON.stringify(schema ?? {}).includes('"location-name"'))
    notes.push('Names of places must be the same; WebArena-Verified also takes names that are 80 % alike.');
  return notes;
}
