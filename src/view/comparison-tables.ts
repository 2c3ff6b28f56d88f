/** A comparison of two runs as tables of texts: the same at the command line, in Markdown and in HTML. */
import type { AmountName, ComparedGroup, Rate, SampleComparison, Spread } from '../metrics/index.ts';
import { percentText } from './agreement-text.ts';
import { costText, tokenText } from './amounts.ts';
import { intervalText, percentOf, pointsText, rateText, rowVerdict } from './comparison-text.ts';

export interface TextTable {
  title: string;
  columns: readonly string[];
  rows: (readonly string[])[];
  /** A sentence under the title. */
  note?: string;
}

const AMOUNT_NAMES: Readonly<Record<AmountName, string>> = {
  steps: 'steps',
  durationMs: 'time',
  tokens: 'tokens',
  costUsd: 'cost',
};

/** Without the tables that have no rows. Tags and cases in which no pair differs are left out unless all are wanted. */
export function comparisonTables(
  comparison: SampleComparison,
  { withAll = false }: { withAll?: boolean | undefined } = {},
): TextTable[] {
  const { a, b, confidence, cases, tags, outcomes, changes, amounts, differences } = comparison;
  const groups = (title: string, all: readonly ComparedGroup[], level: number): TextTable => {
    const shown = withAll ? all : all.filter(({ comparison: { mcnemar } }) => mcnemar.informative > 0);
    const left = all.length - shown.length;
    return {
      title,
      columns: [title, a.name, b.name, 'difference', `${percentOf(level)} interval, points`, 'verdict', 'claim'],
      rows: shown.map(groupRow),
      note: `Intervals are at ${percentOf(level)}, so that all rows together have the confidence of the whole.${left > 0 ? ` In ${left} of ${all.length} no pair differs; they are left out.` : ''}`,
    };
  };
  const tables: TextTable[] = [
    {
      title: 'pass rate',
      columns: ['pass rate', a.name, b.name],
      rows: [
        ['of what the agent decided', ...[a, b].map(({ validOnly }) => withInterval(validOnly))],
        ['strict', ...[a, b].map(({ strict }) => withInterval(strict))],
      ],
    },
    {
      title: 'what differs',
      columns: ['what differs', a.name, b.name],
      rows: differences.map((row) => [row.name, shortValue(row.a), shortValue(row.b)]),
    },
    {
      title: 'outcome',
      columns: ['outcome', a.name, b.name],
      rows: outcomes.map((row) => [row.outcome, String(row.a), String(row.b)]),
    },
    {
      title: 'changes of the outcome',
      columns: [`in ${a.name}`, `in ${b.name}`, 'pairs'],
      rows: changes.map((row) => [row.a, row.b, String(row.pairs)]),
    },
    groups('tag', tags, confidence.tags),
    groups('case', cases, confidence.cases),
    {
      title: 'p50 / p95',
      columns: ['p50 / p95', a.name, b.name, 'mean difference of a pair', '95 % interval'],
      rows: amounts
        .filter((row) => row.a.known + row.b.known > 0)
        .map(({ name, a: ofA, b: ofB, difference }) => [
          AMOUNT_NAMES[name],
          spreadText(name, ofA),
          spreadText(name, ofB),
          difference.estimate === null ? '–' : signed(name, difference.estimate),
          difference.interval === null
            ? '–'
            : `${signed(name, difference.interval.low)} to ${signed(name, difference.interval.high)}`,
        ]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function withInterval(rate: Rate): string {
  const { low, high } = rate.interval;
  return rate.rate === null
    ? rateText(rate)
    : `${rateText(rate)}, 95 % interval ${percentText(low)} – ${percentText(high)}`;
}

function groupRow(group: ComparedGroup): string[] {
  const { name, a, b, comparison, claim } = group;
  return [
    name,
    rateText(a),
    rateText(b),
    pointsText(comparison.difference.estimate),
    intervalText(comparison),
    rowVerdict(group),
    claim.label,
  ];
}

/** @example spreadText('steps', { p50: 4, p95: 9.5, known: 10 }) // => '4 / 9.5' */
export function spreadText(name: AmountName, { p50, p95 }: Spread): string {
  return p50 === null || p95 === null ? '–' : `${amountText(name, p50)} / ${amountText(name, p95)}`;
}

function amountText(name: AmountName, value: number): string {
  if (name === 'durationMs') return `${(value / 1000).toFixed(1)} s`;
  if (name === 'costUsd') return costText(value);
  return name === 'tokens' ? tokenText(Math.round(value)) : String(Number(value.toFixed(1)));
}

function signed(name: AmountName, value: number): string {
  const text = amountText(name, Math.abs(value));
  return value === 0 ? text : `${value < 0 ? '−' : '+'}${text}`;
}

/** A hash is for programs. */
function shortValue(value: string | null): string {
  if (value === null) return '–';
  return /^[0-9a-f]{40,}$/.test(value) ? value.slice(0, 12) : value;
}
