/** All cells of a run as CSV, one line each; those without a result too, so that nothing is lost from a denominator. */
import path from 'node:path';
import { putPieces, Spool } from '../../journal/index.ts';
import { type CsvValue, csvLine } from '../../view/index.ts';
import { GRADES_FILE, JOURNAL_FILE } from '../folder/attempt-folders.ts';
import { readGrades } from '../folder/grades-file.ts';
import { type RecordedCell, recordedCells } from '../folder/recorded-cells.ts';
import { isQuestionRun, readRunFile } from '../folder/run-file.ts';
import { questionResult } from '../question-result.ts';
import { eventsIn, recordedAttempts, resultOf } from '../recorded-attempts.ts';
import type { Exported } from './exported-attempts.ts';

type Row = Record<string, CsvValue>;

const TASK_COLUMNS = [
  ...['run_id', 'task_id', 'trial', 'attempt', 'attempts', 'state', 'status', 'outcome', 'success', 'claimed'],
  ...['steps', 'tool_calls', 'tool_errors', 'duration_ms', 'input_tokens', 'output_tokens', 'cost_usd', 'reward_sum'],
  ...['final_url', 'answer', 'reason', 'decided_by', 'agent', 'models', 'server', 'server_version', 'browser'],
  ...['task_hash', 'contract_hash', 'folder'],
];
const QUESTION_COLUMNS = [
  ...['run_id', 'question_id', 'trial', 'attempt', 'attempts', 'status', 'verdict', 'score', 'grader', 'answer'],
  ...['error', 'model', 'latency_ms', 'input_tokens', 'output_tokens', 'cost_usd', 'folder'],
];

export async function exportCsv(root: string, file: string): Promise<Exported> {
  const isQuestions = isQuestionRun(root);
  const columns = isQuestions ? QUESTION_COLUMNS : TASK_COLUMNS;
  using lines = new Spool(`${file}.list`);
  let attempts = 0;
  for await (const row of isQuestions ? questionRows(root) : taskRows(root)) {
    lines.add(csvLine(columns.map((name) => row[name] ?? null)));
    attempts++;
  }
  const header = `${columns.join(',')}\r\n`;
  putPieces(
    file,
    (function* () {
      yield header;
      yield* lines.pieces();
    })(),
  );
  return { format: 'csv', attempts, to: file };
}

async function* taskRows(root: string): AsyncGenerator<Row, void, undefined> {
  const run = readRunFile(root);
  for (const cell of recordedCells(root, run)) {
    const common = {
      run_id: run.plan.runId,
      task_id: cell.caseId,
      trial: cell.trial,
      attempt: cell.attempts === 0 ? null : cell.attempt,
      attempts: cell.attempts,
      folder: cell.attempts === 0 ? null : cell.folder,
    };
    let isBegun = false;
    for await (const attempt of recordedAttempts(root, [cell])) {
      isBegun = true;
      yield { ...common, ...taskRow(resultOf(root, attempt)) };
    }
    if (!isBegun) yield { ...common, ...notRun(cell) };
  }
}

function notRun({ notBegun }: RecordedCell): Row {
  if (!notBegun) return { state: 'pending' };
  return { state: 'not_begun', outcome: notBegun.outcome, success: false, reason: notBegun.reason };
}

function taskRow(result: ReturnType<typeof resultOf>): Row {
  const { usage, hashes, server, agent, environment } = result;
  return {
    state: result.interrupted ? 'interrupted' : 'finished',
    status: result.status,
    outcome: result.outcome,
    success: result.success,
    claimed: result.claimed ?? null,
    steps: result.steps,
    tool_calls: result.toolCalls,
    tool_errors: result.openchromeErrors,
    duration_ms: Math.round(result.durationMs),
    // Empty is unknown, and not zero.
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    cost_usd: usage?.costUsd ?? null,
    reward_sum: result.reward?.sum ?? null,
    final_url: result.finalUrl,
    answer: result.answer ?? null,
    reason: result.reason,
    decided_by: result.decidedBy ?? 'contract',
    agent: agent.name ?? agent.kind,
    models: usage?.models.join(' ') ?? null,
    server: server.name,
    server_version: server.version ?? null,
    browser: environment.browser?.product ?? null,
    task_hash: hashes.task,
    contract_hash: hashes.contract,
  };
}

async function* questionRows(root: string): AsyncGenerator<Row, void, undefined> {
  const run = readRunFile(root);
  for (const { caseId, trial, attempt, attempts, folder } of recordedCells(root, run)) {
    const result = questionResult({
      caseId,
      attempt,
      journal: path.join(folder, JOURNAL_FILE),
      events: await eventsIn(path.join(root, folder)),
      grades: readGrades(path.join(root, folder, GRADES_FILE)),
    });
    yield {
      run_id: run.plan.runId,
      question_id: caseId,
      trial,
      attempt: result.attempt === 0 ? null : result.attempt,
      attempts,
      status: result.status,
      verdict: result.grade?.verdict ?? null,
      score: result.grade?.score ?? null,
      grader: result.grade?.grader ?? null,
      answer: result.answer,
      error: result.error?.message ?? null,
      model: result.modelLabel,
      latency_ms: result.latencyMs,
      input_tokens: result.inputTokens,
      output_tokens: result.outputTokens,
      cost_usd: result.costUsd,
      folder: attempts === 0 ? null : folder,
    };
  }
}
