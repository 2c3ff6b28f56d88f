/** A real run to work on: a few episodes of the embedded server over fixture pages, by agents that replay their calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LoadedTask, parseTask } from '../../src/cases/index.ts';
import { version } from '../../src/cli/version.ts';
import type { Agent, ToolCall } from '../../src/episode/index.ts';
import { putJson } from '../../src/journal/index.ts';
import { executeRun, FolderRunStore, resolveRun, type watchRunRequests, writeReports } from '../../src/runs/index.ts';
import { openLab } from '../support/lab.ts';

export interface Play {
  task: Record<string, unknown> & { id: string };
  calls: readonly ToolCall[];
  answer?: string;
  oracleSteps?: number;
}

const SITE = 'http://fixtures.waymark.test';
const click = (selector: string): ToolCall => ({ tool: 'interact', arguments: { action: 'click', selector } });
const type = (selector: string, value: string): ToolCall => ({
  tool: 'interact',
  arguments: { action: 'type', selector, value },
});

/** One that passes after a wrong turn, and one that does not. */
export const PLAYS: readonly Play[] = [
  {
    task: {
      id: 'send-form',
      title: 'Send the form',
      startUrl: `${SITE}/form`,
      goal: 'Fill in the form as Ada and send it.',
      success: {
        kind: 'and',
        children: [
          { kind: 'url', pattern: '/form/done' },
          { kind: 'dom_text', contains: 'Thank you, Ada' },
          { kind: 'no_dialog' },
        ],
      },
    },
    calls: [
      { tool: 'read_page', arguments: {} },
      click('#submit'),
      { tool: 'interact', arguments: { action: 'click', selector: '#nowhere', timeoutMs: 200 } },
      type('#name', 'Ada'),
      type('#email', 'ada@example.com'),
      { tool: 'interact', arguments: { action: 'select', selector: '#plan', value: 'Standard' } },
      click('#terms'),
      click('#submit'),
    ],
    oracleSteps: 5,
  },
  {
    task: {
      id: 'confirm-dialog',
      title: 'Confirm the dialog',
      startUrl: `${SITE}/dialogs`,
      goal: 'Confirm.',
      success: { kind: 'dom_text', selector: '#result', contains: 'Confirmed forever.' },
    },
    calls: [{ tool: 'read_page', arguments: {} }, click('#alert')],
    answer: 'I have confirmed it.',
  },
];

export interface RecordOptions {
  /** Awaited before each call. */
  hold?: (taskId: string, call: number) => Promise<void>;
  signal?: AbortSignal;
  /** Stops one attempt, or asks for another one. */
  steering?: Pick<ReturnType<typeof watchRunRequests>, 'watch' | 'takeRetries'>;
}

/** Runs the plays into `root`, and writes the reports as a run does. */
export async function recordRun(
  root: string,
  plays: readonly Play[] = PLAYS,
  { hold, signal, steering }: RecordOptions = {},
): Promise<void> {
  await using lab = await openLab({ slots: 1 });
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-plays-'));
  try {
    const tasks = plays.map(({ task, oracleSteps }): LoadedTask => {
      const oracle = oracleSteps === undefined ? {} : { oracle: writeOracle(folder, task.id, oracleSteps) };
      const parsed = parseTask({ ...task, ...oracle });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
      return { task: parsed.task, source: task.id, folder };
    });
    const agent = {
      kind: 'scripted',
      make: ({ task }: LoadedTask) =>
        replay(
          plays.find((play) => play.task.id === task.id),
          (call) => hold?.(task.id, call),
        ),
    };
    const run = await resolveRun({ tasks, agent, version: version() });
    using store = new FolderRunStore(root);
    const { notBegun } = await executeRun(run, { store, signal, steering, browsers: { pool: lab.pool } });
    if (notBegun.length > 0) throw new Error(notBegun.map(({ reason }) => reason).join('\n'));
    await writeReports(root, { joinJournals: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Only its length counts here: the plays have their own agents. */
function writeOracle(folder: string, task: string, steps: number): string {
  const moves = Array.from({ length: steps }, () => ({ call: { tool: 'read_page', arguments: {} } }));
  putJson(path.join(folder, `${task}.oracle.json`), { format: 'waymark.transcript.v1', task, moves });
  return `${task}.oracle.json`;
}

function replay(play: Play | undefined, hold: (call: number) => Promise<void> | undefined): Agent {
  return {
    kind: 'scripted',
    run: async (session) => {
      for (const [index, call] of (play?.calls ?? []).entries()) {
        await hold(index);
        await session.step(call);
      }
      return play?.answer === undefined ? {} : { answer: play.answer };
    },
  };
}

/** Of the first trial of one of its tasks. */
export function journal(folder: string, task = 'send-form'): string {
  return path.join(folder, 'episodes', task, 'trial-1', 'events.jsonl');
}
