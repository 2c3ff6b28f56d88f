/** (c) and (d): the same form as an episode, with the witness, the contract, the reward, the journal and a picture each step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseTranscript, scripted } from '../src/agents/index.ts';
import { type LoadedTask, parseTask } from '../src/cases/index.ts';
import { Browser, type FoundBrowser, Pool } from '../src/chromium/index.ts';
import type { RunPlan } from '../src/events/index.ts';
import { executeRun, FolderRunStore, readEvents, resolveRun } from '../src/runs/index.ts';
import { profileOf, type ServerChoice } from '../src/tools/index.ts';
import type { RivalOptions } from './throughput-playwright.ts';
import { FORM } from './throughput-task.ts';

const transcript = parseTranscript(
  {
    format: 'waymark.transcript.v1',
    task: 'form',
    moves: [
      { action: { action: 'type', target: { selector: '#name' }, text: FORM.name } },
      { action: { action: 'type', target: { selector: '#email' }, text: FORM.email } },
      { action: { action: 'select', target: { selector: '#plan' }, options: [FORM.planLabel] } },
      { action: { action: 'click', target: { selector: '#terms' } } },
      { action: { action: 'click', target: { selector: '#submit' } } },
    ],
  },
  'the transcript of the benchmark',
);

export async function waymarkEpisodes(
  options: RivalOptions,
  browser: FoundBrowser,
  server: string | ServerChoice,
  onRun?: (root: string, plan: RunPlan) => Promise<void>,
): Promise<{ ms: number; overheads: number[] }> {
  const parsed = parseTask({
    id: 'form',
    title: 'Form',
    startUrl: `${options.origin}/form`,
    goal: 'Sign up.',
    success: {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '/form/done' },
        { kind: 'dom_text', selector: '#result', contains: `Thank you, ${FORM.name}.` },
      ],
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const task: LoadedTask = { task: parsed.task, source: 'bench', folder: '.' };
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-throughput-'));
  const profile = profileOf(server);
  try {
    await using pool = new Pool({
      // As a run of its own has: one more than it drives at once.
      slots: options.concurrency + 1,
      start: () => Browser.launch({ browser, resolverRules: options.resolverRules }),
    });
    await pool.warm(options.concurrency);
    const run = await resolveRun({
      tasks: [task],
      trials: options.episodes,
      concurrency: options.concurrency,
      server,
      agent: { kind: 'scripted', make: () => scripted({ transcript, profile }) },
      version: 'bench',
    });
    using store = new FolderRunStore(root);
    const start = performance.now();
    await executeRun(run, { store, browsers: { pool }, now: () => performance.timeOrigin + performance.now() });
    const ms = performance.now() - start;
    const overheads: number[] = [];
    for (const { caseId, trial } of run.plan.cells) {
      const folder = store.folderOf({ runId: run.plan.runId, caseId, trial, attempt: 1 });
      const events = await readEvents(path.join(folder, 'events.jsonl'));
      const stop = events.at(-1);
      if (stop?.type !== 'stop' || stop.status !== 'passed')
        throw new Error(`an episode did not pass: ${JSON.stringify(stop)}`);
      let answered: number | undefined;
      for (const event of events) {
        if (event.type === 'tool_result') answered = event.time;
        if (event.type === 'reward' && answered !== undefined) overheads.push(event.time - answered);
      }
    }
    await onRun?.(root, run.plan);
    return { ms, overheads };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
