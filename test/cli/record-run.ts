/** A real run to work on: a few episodes of the embedded server over fixture pages, by agents that replay their calls. */
import path from 'node:path';
import { type LoadedTask, parseTask } from '../../src/cases/index.ts';
import type { Agent, ToolCall } from '../../src/episode/index.ts';
import { newRunId, openRunFolder, runSuite, writeReports, writeRunFile } from '../../src/runs/index.ts';
import { profileOf } from '../../src/tools/index.ts';
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

/** Runs the plays into `root`, and writes the reports as a run does. */
export async function recordRun(root: string, plays: readonly Play[] = PLAYS): Promise<void> {
  await using lab = await openLab({ slots: 1 });
  const runId = newRunId();
  const folder = openRunFolder(root, runId);
  const startedAt = new Date().toISOString();
  const tasks = plays.map(({ task }): LoadedTask => {
    const parsed = parseTask(task);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    return { task: parsed.task, source: task.id, folder: root };
  });
  const places = await runSuite({
    tasks,
    agent: ({ task }) => replay(plays.find((play) => play.task.id === task.id)),
    profile: profileOf('embedded'),
    pool: lab.pool,
    folder,
    environment: { waymark: '0.1.0', node: process.versions.node, platform: 'linux-x64' },
    isolation: 'context',
  });
  const failed = places.flatMap((place) => place.failed ?? []);
  if (failed.length > 0) throw new Error(failed.join('\n'));
  writeRunFile(root, {
    format: 'waymark.run.v1',
    runId,
    startedAt,
    endedAt: new Date().toISOString(),
    episodes: places.map((place) => {
      const oracleSteps = plays.find(({ task }) => task.id === place.task.task.id)?.oracleSteps;
      return { folder: path.relative(root, place.folder), ...(oracleSteps === undefined ? {} : { oracleSteps }) };
    }),
  });
  await writeReports(root);
}

function replay(play: Play | undefined): Agent {
  return {
    kind: 'scripted',
    run: async (session) => {
      for (const call of play?.calls ?? []) await session.step(call);
      return play?.answer === undefined ? {} : { answer: play.answer };
    },
  };
}
