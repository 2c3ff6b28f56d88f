/** A row of WebArena as a task: `string_match` by the grader `answer`, `url_match` and `program_html` by the contract. All of them must hold. */
import type { Assertion } from '../../contracts/index.ts';
import { sentenceOf } from '../../errors/index.ts';
import type { AnswerSpec } from '../graders/answer-spec.ts';
import type { GraderSpec } from '../graders/grader-spec.ts';
import type { TaskInput } from '../tasks/task.ts';
import { ANSWERED, checkedTask, type ImportedRow, MAX_DURATION_MS, NotPortable, titleOf } from './imported-row.ts';
import { pageContract } from './page-contract.ts';
import { type Sites, withSites } from './sites.ts';
import { urlContract } from './url-contract.ts';
import { type WebarenaRow, webarenaRowSchema } from './webarena-row.ts';

export function importWebarenaRow(given: unknown, sites: Sites): ImportedRow {
  const parsed = webarenaRowSchema.safeParse(given);
  if (!parsed.success) return { result: 'invalid', reason: sentenceOf(parsed.error) };
  const id = `webarena-${parsed.data.task_id}`;
  return checkedTask(id, () => taskOf(id, parsed.data, sites));
}

function taskOf(id: string, row: WebarenaRow, sites: Sites): { task: TaskInput; notes: string[] } {
  const notes: string[] = [];
  const assertions: Assertion[] = [];
  let answer: AnswerSpec | undefined;
  for (const type of row.eval.eval_types) {
    if (type === 'string_match') answer = answerOf(row, notes);
    else if (type === 'url_match')
      assertions.push(...urlContract(row.eval.reference_url ?? '', row.eval.url_note, sites));
    else if (type === 'program_html')
      assertions.push(...(row.eval.program_html ?? []).flatMap((rule) => pageContract(rule, sites)));
    else throw new NotPortable(`It is judged by "${type.slice(0, 100)}".`);
  }
  const [startUrl = '', ...more] = row.start_url.split(' |AND| ').map((url) => withSites(url, sites));
  const tabs = more.length === 0 ? '' : `\nThe open tabs are: ${[startUrl, ...more].join(', ')}`;
  if (more.length > 0)
    notes.push(
      `It starts with ${more.length + 1} open tabs there; here with the first, and the goal names the others.`,
    );
  if (row.require_login) notes.push(`It needs a browser that is logged in at ${row.sites.join(' and ')}.`);
  return {
    task: {
      id,
      title: titleOf(row.intent),
      startUrl,
      goal: `${row.intent}${tabs}${answer ? ANSWER_FORM : ''}`,
      about: [`WebArena, task ${row.task_id}: ${row.eval.eval_types.join(', ')}.`, ...notes].join(' '),
      maxDurationMs: MAX_DURATION_MS,
      success: contractOf(answer ? [...assertions, ANSWERED] : assertions),
      ...gradersOf(answer, assertions.length > 0),
    },
    notes,
  };
}

const ANSWER_FORM = '\nAnswer as briefly as possible. If it cannot be done, answer "N/A".';

/** Without an answer, the contract decides alone. */
function gradersOf(
  answer: AnswerSpec | undefined,
  hasContract: boolean,
): { graders?: GraderSpec[]; decidedBy?: string } {
  if (!answer) return {};
  if (!hasContract) return { graders: [answer], decidedBy: 'answer' };
  return { graders: [answer, { grader: 'all', of: ['contract', 'answer'] }], decidedBy: 'all' };
}

function contractOf(assertions: readonly Assertion[]): Assertion {
  const [first, ...more] = assertions;
  if (!first) throw new NotPortable('It has no rule.');
  return more.length === 0 ? first : { kind: 'and', children: [first, ...more] };
}

function answerOf({ eval: { reference_answers } }: WebarenaRow, notes: string[]): AnswerSpec {
  const { exact_match, must_include, fuzzy_match } = reference_answers ?? {};
  if (fuzzy_match === 'N/A') {
    notes.push('Only the answer "N/A" passes; WebArena also asks a model whether another answer gives the reason.');
    return { grader: 'answer', checker: { kind: 'exact' }, expected: 'N/A' };
  }
  if (fuzzy_match !== undefined)
    throw new NotPortable('It asks a model whether the answer means the same (fuzzy_match).');
  if (exact_match !== undefined && must_include !== undefined)
    throw new NotPortable('It compares the answer in two ways.');
  if (exact_match !== undefined) return { grader: 'answer', checker: { kind: 'exact' }, expected: exact_match };
  if (must_include === undefined) throw new NotPortable('It has no reference answer.');
  // One character alone must be a word of its own.
  const isToken = must_include.length === 1 && must_include[0]?.trim().length === 1;
  return {
    grader: 'answer',
    checker: { kind: 'contains', all: must_include, ...(isToken ? { whole_words: true } : {}) },
  };
}
