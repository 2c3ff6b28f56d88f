/** The table of `npm run results`: one row for each agent with a policy, folded from the results of its run. */
import type { EpisodeResult } from '../../src/events/index.ts';
import { isAgentOutcome } from '../../src/metrics/index.ts';
import { costText, tokenText } from '../../src/view/index.ts';

export interface ResultRow {
  /** `single`, or `external (gemini)`. */
  readonly agent: string;
  /** Of the test model; undefined where there is no model. */
  readonly policy: string | undefined;
  readonly results: readonly EpisodeResult[];
  /** Steps of the known solutions, by task. */
  readonly oracleSteps: Readonly<Record<string, number>>;
}

const COLUMNS = [
  'agent',
  'policy',
  'arrived',
  'failed',
  'max_steps',
  'other ends',
  'faults',
  'steps, mean',
  'steps against the oracle',
  'steps in loops',
  'states seen again',
  'tokens',
  'cost',
  'said done, but failed',
];

export function resultsTable(rows: readonly ResultRow[]): string {
  return [COLUMNS, COLUMNS.map(() => '---'), ...rows.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function cellsOf({ agent, policy, results, oracleSteps }: ResultRow): (string | number)[] {
  const count = (fits: (result: EpisodeResult) => unknown): number => results.filter(fits).length;
  const ended = (...outcomes: string[]) => count(({ outcome }) => outcomes.includes(outcome));
  const passed = results.filter(({ success }) => success);
  return [
    agent,
    policy ?? '–',
    `${passed.length} of ${results.length}`,
    ended('failed'),
    ended('max_steps'),
    ended('timeout', 'guard_stop'),
    count(({ outcome }) => !isAgentOutcome(outcome)),
    mean(results.map(({ steps }) => steps))?.toFixed(1) ?? '–',
    ratio(sum(passed.map(({ steps }) => steps)), sum(passed.map(({ taskId }) => oracleSteps[taskId] ?? 0))),
    sum(results.map(({ wandering }) => wandering.loopedSteps)),
    percent(mean(results.flatMap(({ wandering }) => wandering.revisitedStateRatio ?? []))),
    policy === undefined ? '–' : tokenText(known(results.map(({ usage }) => usage?.totalTokens ?? null))),
    policy === undefined ? '–' : costText(known(results.map(({ usage }) => usage?.costUsd ?? null))),
    count(({ falselyClaimed }) => falselyClaimed),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : sum(values) / values.length;
}

/** A sum with an unknown part is unknown. */
function known(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null);
  return numbers.length === values.length ? sum(numbers) : null;
}

/** Of the attempts that arrived: the path of one that did not leads nowhere. */
function ratio(steps: number, oracle: number): string {
  return oracle === 0 ? '–' : `${(steps / oracle).toFixed(2)} ×`;
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${(share * 100).toFixed(0)} %`;
}
