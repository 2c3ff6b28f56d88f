/** Everything that is shown of a run but its attempts themselves, as plain data: head, rates, notes, graders, statistics, one row per cell. */
import type { Rate, RunStatistics } from '../metrics/index.ts';
import type { AttemptRow } from './attempt-row.ts';
import type { GradeView } from './graded-attempt.ts';
import type { GraderSummary } from './grader-fold.ts';
import { agreementTable, GRADERS_NOTE, type GraderTable, graderNotes, verdictTable } from './grader-tables.ts';
import { caseRows, type StatisticsRow, statisticsSentences } from './statistics-text.ts';

/** A part of the run's report. */
export interface RunHead {
  runId: string;
  startedAt: string;
  agent: string;
  server: { name: string; version: string; transport: string; isolation: string };
  browser: { product: string; kind: string };
  summary: {
    passed: number;
    planned: number;
    strict: Rate;
    validOnly: Rate;
    outcomes: Readonly<Partial<Record<string, number>>>;
    held_at_start?: number;
    falselyClaimed?: number;
    neverPassed?: readonly string[];
    quarantined?: readonly { taskId: string; reason: string; until: string; finished: number; passed: number }[];
    graders?: GraderSummary[];
    statistics: RunStatistics;
  };
}

export interface GraderDifference {
  /** Of the attempt. */
  id: string;
  name: string;
  decidedBy: string;
  /** The deciding one and those that differ from it. */
  grades: readonly GradeView[];
}

export interface RateView extends Rate {
  title: string;
  about: string;
}

export interface RunView {
  runId: string;
  /** The suite and what was under test. */
  name: string;
  /** `1 of 2 passed: …` */
  title: string;
  startedAt: string;
  agent: string;
  /** That the agent has asked; none where it asked no model, or does not say. */
  models: string[];
  server: RunHead['server'];
  browser: RunHead['browser'];
  /** Sentences that every reader must see. */
  notes: string[];
  rates: RateView[];
  outcomes: { name: string; count: number }[];
  neverPassed: readonly string[];
  quarantined: string[];
  /** Attempts that could not be begun, as sentences. */
  notBegun: string[];
  /** Folders of attempts that do not count, relative to the run's. */
  earlier: string[];
  warnings: { text: string; about: string }[];
  /** Attempts that graders differ about, the first ones. */
  differences: { list: GraderDifference[]; leftOut: number };
  graders?: { note: string; verdicts: GraderTable; agreement: GraderTable; notes: string[] };
  statistics: { sentences: string[]; cases: StatisticsRow[]; flaky: RunStatistics['flaky'] };
  /** In the order of the plan. */
  attempts: AttemptRow[];
}

export interface RunViewParts {
  name: string;
  head: RunHead;
  models?: readonly string[];
  attempts: AttemptRow[];
  notes: readonly string[];
  notBegun?: readonly string[];
  earlier?: readonly string[];
  warnings?: RunView['warnings'];
  differences?: RunView['differences'];
}

export function runView({
  name,
  head,
  models = [],
  attempts,
  notes,
  notBegun = [],
  earlier = [],
  warnings = [],
  differences = { list: [], leftOut: 0 },
}: RunViewParts): RunView {
  const { summary } = head;
  const { graders, statistics } = summary;
  return {
    runId: head.runId,
    name,
    title: `${summary.passed} of ${summary.planned} passed: ${name}`,
    startedAt: head.startedAt,
    agent: head.agent,
    models: [...models],
    server: head.server,
    browser: head.browser,
    notes: [...notes],
    rates: [
      { title: 'Pass rate, strict', about: 'Everything that was planned counts.', ...summary.strict },
      {
        title: 'Pass rate, valid only',
        about: 'Faults of harness, server and browser left out.',
        ...summary.validOnly,
      },
    ],
    outcomes: [
      ...Object.entries(summary.outcomes).map(([name, count]) => ({ name, count: count ?? 0 })),
      ...(summary.falselyClaimed === undefined
        ? []
        : [{ name: 'said done, but failed', count: summary.falselyClaimed }]),
      ...(summary.held_at_start === undefined ? [] : [{ name: 'held at the start', count: summary.held_at_start }]),
    ],
    neverPassed: summary.neverPassed ?? [],
    quarantined: (summary.quarantined ?? []).map(
      ({ taskId, until, reason, passed, finished }) =>
        `${taskId}, until ${until}: ${reason} (${passed} of ${finished} passed)`,
    ),
    notBegun: [...notBegun],
    earlier: [...earlier],
    warnings: [...warnings],
    differences,
    ...(graders
      ? {
          graders: {
            note: GRADERS_NOTE,
            verdicts: verdictTable(graders),
            agreement: agreementTable(graders),
            notes: graderNotes(graders),
          },
        }
      : {}),
    statistics: {
      sentences: statisticsSentences(statistics),
      cases: caseRows(statistics),
      flaky: statistics.flaky,
    },
    attempts,
  };
}
