/** `report.md`: the run for people who read text. Its parts grow on the disk, one result at a time. */

import { explain } from '../contracts/index.ts';
import { someOf } from '../errors/index.ts';
import type { EpisodeResult } from '../events/index.ts';
import { Spool } from '../journal/index.ts';
import type { Rate } from '../metrics/index.ts';
import { claimText, gradedTask, markNames, usedCost, usedTokens } from '../view/index.ts';
import { BLOCKED_HEAD, blockedOf } from './markdown-blocked.ts';
import { DIFFERENCES_HEAD, differenceItems, graderTables } from './markdown-graders.ts';
import { neverPassedList, quarantineList } from './markdown-passes.ts';
import { recoveryOf } from './markdown-recovery.ts';
import { statisticsOf } from './markdown-statistics.ts';
import { seconds, teamOf } from './markdown-team.ts';
import { WANDERING_HEAD, wanderingRow } from './markdown-wandering.ts';
import { RECOVERY_NOTE, type ReportHead, TEST_MODEL_NOTE } from './report.ts';
import { nameOf as cellName, type RunCoverage } from './run-coverage.ts';
import type { RunWarning } from './run-warnings.ts';

export class MarkdownReport implements Disposable {
  readonly #rows: Spool;
  readonly #differences: Spool;
  readonly #wandering: Spool;
  readonly #failures: Spool;
  readonly #teams: Spool;
  readonly #searches: Spool;
  readonly #blocked: Spool;
  readonly #files: Spool;

  /** Its parts are kept beside this file until it is written. */
  constructor(file: string) {
    this.#rows = new Spool(`${file}.rows`);
    this.#differences = new Spool(`${file}.differences`);
    this.#wandering = new Spool(`${file}.wandering`);
    this.#failures = new Spool(`${file}.failures`);
    this.#teams = new Spool(`${file}.teams`);
    this.#searches = new Spool(`${file}.searches`);
    this.#blocked = new Spool(`${file}.blocked`);
    this.#files = new Spool(`${file}.files`);
  }

  add(result: EpisodeResult): void {
    this.#rows.add(`${rowOf(result)}\n`);
    this.#differences.add(differenceItems(nameOf(result), result.artifacts.eventsJsonl, gradedTask(result)));
    this.#wandering.add(`${wanderingRow(nameOf(result), result)}\n`);
    if (!result.success) this.#failures.add(`${failureOf(result)}\n`);
    if (result.roles) this.#teams.add(`${teamOf(nameOf(result), result)}\n`);
    if (result.recoverySearch) this.#searches.add(`${recoveryOf(nameOf(result), result.recoverySearch)}\n`);
    if (result.blockedRequests) this.#blocked.add(blockedOf(nameOf(result), result.blockedRequests));
    this.#files.add(`${filesOf(result)}\n`);
  }

  /** `earlier`: folders of attempts that do not count. Paths are relative to the run's folder. */
  *pieces(
    report: ReportHead,
    { earlier, warnings }: { earlier: readonly string[]; warnings: readonly RunWarning[] },
  ): Generator<string | Buffer, void, undefined> {
    const { summary, server, browser } = report;
    yield `# Run ${report.runId}

Agent ${report.agent}, server ${server.name} ${server.version} (${server.transport}, isolation: ${server.isolation}), ${browser.product} (${browser.kind}).

${report.testModel ? `${TEST_MODEL_NOTE}\n\n` : ''}${report.recoverySearch ? `${RECOVERY_NOTE}\n\n` : ''}**${summary.passed} of ${summary.planned} passed** (${percent(summary.strict)}); not counting faults of harness, server and browser: ${percent(summary.validOnly)}.${summary.falselyClaimed === undefined ? '' : ` Said done, but failed: ${summary.falselyClaimed}.`}${summary.held_at_start === undefined ? '' : ` The contract held at the start: ${summary.held_at_start}.`}

Planned ${summary.planned}: ${summary.finished} finished, ${summary.interrupted} interrupted, ${summary.notBegun} not begun, ${summary.pending} pending.

| task | status | agent says | steps | calls | errors | reward | tokens read / written | tokens used | cost | time |
|---|---|---|---|---|---|---|---|---|---|---|
`;
    yield* this.#rows.pieces();
    yield '\n';
    yield statisticsOf(summary.statistics);
    if (summary.graders) yield graderTables(summary.graders);
    if (!this.#differences.isEmpty) {
      yield DIFFERENCES_HEAD;
      yield* this.#differences.pieces();
      yield '\n';
    }
    if (summary.quarantined) yield quarantineList(summary.quarantined);
    if (summary.neverPassed) yield neverPassedList(summary.neverPassed);
    if (summary.unfinished) yield* unfinishedList(summary.unfinished);
    if (!this.#wandering.isEmpty) {
      yield WANDERING_HEAD;
      yield* this.#wandering.pieces();
      yield '\n';
    }
    if (!this.#failures.isEmpty) {
      yield '## What did not pass\n\n';
      yield* this.#failures.pieces();
    }
    if (!this.#teams.isEmpty) {
      yield '## Who did what\n\n';
      yield* this.#teams.pieces();
    }
    if (!this.#searches.isEmpty) {
      yield '## Recovery search\n\n';
      yield* this.#searches.pieces();
    }
    if (!this.#blocked.isEmpty) {
      yield BLOCKED_HEAD;
      yield* this.#blocked.pieces();
      yield '\n';
    }
    if (warnings.length > 0)
      yield `## Warnings\n\n${warnings.map(({ text, taskIds }) => `- ${text} (${someOf(taskIds)})\n`).join('')}\n`;
    if (earlier.length > 0)
      yield `## Earlier attempts\n\nCut off or ended by a fault, and made again; kept.\n\n${earlier.map((folder) => `- \`${folder}\`\n`).join('')}\n`;
    yield '## Files\n\n| task | journal | messages | ledger | metadata |\n|---|---|---|---|---|\n';
    yield* this.#files.pieces();
  }

  [Symbol.dispose](): void {
    const spools = [
      this.#rows,
      this.#differences,
      this.#wandering,
      this.#failures,
      this.#teams,
      this.#searches,
      this.#blocked,
      this.#files,
    ];
    for (const spool of spools) spool[Symbol.dispose]();
  }
}

function nameOf({ taskId, trial }: EpisodeResult): string {
  return cellName({ caseId: taskId, trial });
}

/** All names: this is the report that lists everything. */
function* unfinishedList({
  interrupted,
  notBegun,
  pending,
}: NonNullable<RunCoverage['unfinished']>): Generator<string> {
  yield '## What has not finished\n\nIt counts as not passed in the strict rate, and is run by `--resume`.\n\n';
  for (const name of interrupted) yield `- interrupted: ${name}\n`;
  for (const name of notBegun) yield `- not begun: ${name}\n`;
  for (const name of pending) yield `- pending: ${name}\n`;
  yield '\n';
}

function rowOf(r: EpisodeResult): string {
  const cells = [
    nameOf(r),
    endOf(r),
    claimText(r),
    r.steps,
    r.toolCalls,
    r.openchromeErrors,
    r.reward ? r.reward.sum.toFixed(2) : '–',
    tokensOf(r),
    usedTokens(r.usage),
    usedCost(r.usage),
    seconds(r.durationMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The status is by the contract; where another grader decides, the outcome class has its verdict. In brackets: what weakens a pass. */
function endOf(result: EpisodeResult): string {
  const { status, outcome, decidedBy, interrupted } = result;
  if (interrupted) return 'interrupted';
  const marks = markNames(result);
  return `${decidedBy === undefined ? status : outcome}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
}

/** Estimates, of what the tools returned and of what the agent called. */
function tokensOf({ tokens }: EpisodeResult): string {
  return tokens === undefined ? '–' : `${tokens.perObservation.total} / ${tokens.perCall.total}`;
}

function failureOf(result: EpisodeResult): string {
  const last = result.lastToolCall;
  return [
    `### ${result.taskId}: ${endOf(result)}`,
    '',
    `${result.reason} Outcome class: ${result.outcome}. Final URL: ${result.finalUrl || 'none'}.`,
    ...(last ? ['', `Last call: \`${last.tool}\` \`${JSON.stringify(last.arguments)}\``] : []),
    ...(result.failedContract ? ['', ...explain(result.failedContract).map(listed)] : []),
    '',
  ].join('\n');
}

/** `explain` puts children two spaces further in: as far as a nested list wants them. */
function listed(line: string): string {
  const sentence = line.trimStart();
  return `${line.slice(0, line.length - sentence.length)}- ${sentence}`;
}

function filesOf(result: EpisodeResult): string {
  const { eventsJsonl, messagesJsonl, ledgerJsonl, metadataJson } = result.artifacts;
  const files = [eventsJsonl, messagesJsonl, ledgerJsonl, metadataJson];
  const cells = files.map((file) => (file === undefined ? '–' : `\`${file}\``));
  return `| ${nameOf(result)} | ${cells.join(' | ')} |`;
}

function percent({ passed, of, rate, interval }: Rate): string {
  if (rate === null) return 'no episodes';
  const { low, high } = interval;
  return `${passed}/${of} = ${(rate * 100).toFixed(0)} %, 95 % interval ${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)} %`;
}
