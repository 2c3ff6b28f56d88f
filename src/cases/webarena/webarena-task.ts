/** A row of WebArena as a task: `string_match` by the grader `answer`, `url_match` and `program_html` by the contract. All of them must hold. */
import type { Assertion } from '../../contracts/index.ts';
import { ANSWERED, MAX_DURATION_MS, NotPortable, type TaskOfRow, titleOf } from '../rows/imported-row.ts';
import { gradingOf, rubricOf } from '../rows/judged.ts';
import { type RowImporter, rowImporter } from '../rows/row-importer.ts';
import { type Sites, withSites } from '../rows/sites.ts';
import { answerRules } from './answer-rules.ts';
import { pageContract } from './page-contract.ts';
import { exactUrlContract, urlContract } from './url-contract.ts';
import { type Variant, type WebarenaRow, webarenaRowSchema } from './webarena-row.ts';

export const importWebarenaRow = importerOf({ id: 'webarena', name: 'WebArena', isVisual: false });
export const importLiteRow = importerOf({ id: 'webarena-lite', name: 'WebArena-Lite', isVisual: false });
export const importVisualRow = importerOf({ id: 'visualwebarena', name: 'VisualWebArena', isVisual: true });

function importerOf(variant: Variant): RowImporter {
  return rowImporter({
    schema: webarenaRowSchema,
    idOf(row) {
      // Each file of VisualWebArena counts from 0.
      const group = variant.isVisual ? row.sites.map((site) => `${site}-`).join('') : '';
      return `${variant.id}-${group}${row.task_id}`;
    },
    taskOf: (id, row, { sites }) => taskOf(id, row, variant, sites),
  });
}

function taskOf(id: string, row: WebarenaRow, variant: Variant, sites: Sites): TaskOfRow {
  const { assertions, specs, criteria, notes } = rulesOf(row, variant.isVisual, sites);
  const hasAnswer = specs.length + criteria.length > 0;
  const [startUrl = '', ...more] = row.start_url.split(' |AND| ').map((url) => withSites(url, sites));
  const images = [row.image ?? []].flat().map((url) => withSites(url, sites));
  const goal = [
    row.intent,
    ...(more.length > 0 ? [`The open tabs are: ${[startUrl, ...more].join(', ')}`] : []),
    ...(images.length > 0 ? [`The pictures of the task are: ${images.join(', ')}`] : []),
    ...(hasAnswer ? [ANSWER_FORM] : []),
  ];
  if (more.length > 0)
    notes.push(
      `It starts with ${more.length + 1} open tabs there; here with the first, and the goal names the others.`,
    );
  if (images.length > 0) notes.push('The agent is given pictures there; here the goal only names them.');
  if (row.require_login) notes.push(`It needs a browser that is logged in at ${row.sites.join(' and ')}.`);
  const number = row.old_task_id === undefined ? '' : ` (${row.old_task_id} of WebArena)`;
  return {
    task: {
      id,
      title: titleOf(row.intent),
      startUrl,
      goal: goal.join('\n'),
      about: [`${variant.name}, task ${row.task_id}${number}: ${row.eval.eval_types.join(', ')}.`, ...notes].join(' '),
      maxDurationMs: MAX_DURATION_MS,
      success: contractOf(hasAnswer ? [...assertions, ANSWERED] : assertions),
      ...gradingOf(specs, criteria.length > 0 ? [rubricOf(criteria)] : [], assertions.length > 0),
    },
    notes,
    ...(criteria.length > 0 ? { why: 'A model is asked whether it means the same (fuzzy_match).' } : {}),
  };
}

const ANSWER_FORM = 'Answer as briefly as possible. If it cannot be done, answer "N/A".';

function rulesOf(row: WebarenaRow, isVisual: boolean, sites: Sites) {
  const notes: string[] = [];
  const assertions: Assertion[] = [];
  const criteria: string[] = [];
  const specs: ReturnType<typeof answerRules>['specs'] = [];
  for (const type of new Set(row.eval.eval_types)) {
    if (type === 'string_match') {
      const answer = answerRules(row, isVisual);
      specs.push(...answer.specs);
      criteria.push(...answer.criteria);
      notes.push(...answer.notes);
    } else if (type === 'url_match') assertions.push(...urlRules(row, isVisual, sites));
    else if (type === 'program_html') {
      const pages = (row.eval.program_html ?? []).map((rule) => pageContract(rule, sites, isVisual));
      assertions.push(...pages.flatMap((one) => one.assertions));
      criteria.push(...pages.flatMap((one) => one.criteria));
      notes.push(...new Set(pages.flatMap((one) => one.notes)));
    } else if (type === 'page_image_query')
      throw new NotPortable('It compares pictures by code and models of the benchmark (page_image_query).', 'command');
    else throw new NotPortable(`It is judged by "${type.slice(0, 100)}".`, 'command');
  }
  return { assertions, specs, criteria, notes };
}

function urlRules({ eval: { reference_url, url_note } }: WebarenaRow, isVisual: boolean, sites: Sites): Assertion[] {
  const contract = isVisual ? exactUrlContract : urlContract;
  return contract(reference_url ?? '', url_note, sites);
}

function contractOf(assertions: readonly Assertion[]): Assertion {
  const [first, ...more] = assertions;
  if (!first) throw new NotPortable('It has no rule.');
  return more.length === 0 ? first : { kind: 'and', children: [first, ...more] };
}
