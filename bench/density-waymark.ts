/** Agents in one run of Waymark: contexts of shared browsers, with the witness, the contract, the reward, the journal and a picture each step. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LoadedTask, parseTask } from '../src/cases/index.ts';
import { Browser, Pool } from '../src/chromium/index.ts';
import type { Agent } from '../src/episode/index.ts';
import type { JournalEvent } from '../src/events/index.ts';
import { executeRun, FolderRunStore, resolveRun } from '../src/runs/index.ts';
import { type DensityFigures, DensityMeasure, type DensityOptions, quantiles } from './density-measure.ts';
import { FORM } from './throughput-task.ts';

export async function waymarkDensity(options: DensityOptions): Promise<DensityFigures> {
  const { browser, resolverRules, atOnce } = options;
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-density-'));
  try {
    const measure = new DensityMeasure(options, atOnce, performance.now());
    const stepMs = new Map<string, number[]>();
    const run = await resolveRun({
      tasks: Array.from({ length: atOnce }, (_, n) => formTask(`form-${n + 1}`, options.origin)),
      concurrency: atOnce,
      untilDone: true,
      agent: { kind: 'thinker', make: () => thinker(options, measure, stepMs) },
      version: 'bench',
    });
    const failed: string[] = [];
    using store = new FolderRunStore(root);
    {
      await using pool = new Pool({ slots: atOnce, start: () => Browser.launch({ browser, resolverRules }) });
      await executeRun(run, {
        store,
        browsers: { pool },
        // Fractions of a millisecond: a step's own time is a few of them.
        now: () => performance.timeOrigin + performance.now(),
        onProgress: ({ attempt, status, reason }) => {
          measure.ended(attempt.caseId);
          if (status !== 'passed') failed.push(`${attempt.caseId}: ${status}: ${reason}`);
        },
      });
    }
    const times: HarnessTimes = { callMs: [], answerToRewardMs: [], addedMs: [], rewardToPictureMs: [] };
    const missed = { missedLooks: 0, missedPictures: 0 };
    for (const { caseId, trial } of run.plan.cells) {
      // One that was not begun has no journal.
      if (!stepMs.has(caseId)) continue;
      const events = await Array.fromAsync(store.events({ runId: run.plan.runId, caseId, trial, attempt: 1 }));
      addTimes(times, events, stepMs.get(caseId) ?? []);
      missed.missedLooks += events.filter((event) => event.type === 'evidence' && event.page !== 'ok').length;
      missed.missedPictures += events.filter((event) => event.type === 'screenshot' && !event.ok).length;
    }
    const harness = {
      callMs: quantiles(times.callMs),
      answerToRewardMs: quantiles(times.answerToRewardMs),
      addedMs: quantiles(times.addedMs),
      rewardToPictureMs: quantiles(times.rewardToPictureMs),
      ...missed,
    };
    return { ...measure.figures(failed), harness };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Fills in the form again and again, in steps of the embedded server, each after a thought. */
function thinker({ rounds, origin }: DensityOptions, measure: DensityMeasure, stepMs: Map<string, number[]>): Agent {
  return {
    kind: 'thinker',
    async run(session) {
      const act = (args: Record<string, unknown>) => () => session.step({ tool: 'interact', arguments: args });
      const form = [
        act({ action: 'type', selector: '#name', value: FORM.name }),
        act({ action: 'type', selector: '#email', value: FORM.email }),
        act({ action: 'select', selector: '#plan', value: FORM.planLabel }),
        act({ action: 'click', selector: '#terms' }),
        act({ action: 'click', selector: '#submit' }),
      ];
      const again = () => session.step({ tool: 'navigate', arguments: { url: `${origin}/form` } });
      const steps = Array.from({ length: rounds }, (_, round) => (round === 0 ? form : [again, ...form])).flat();
      stepMs.set(session.task.id, []);
      stepMs.set(session.task.id, await measure.drive(session.task.id, steps, session.signal));
      return {};
    },
  };
}

function formTask(id: string, origin: string): LoadedTask {
  const parsed = parseTask({
    id,
    title: 'Form',
    startUrl: `${origin}/form`,
    goal: 'Sign up.',
    maxSteps: 100,
    maxDurationMs: 600_000,
    success: {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '/form/done' },
        { kind: 'dom_text', selector: '#result', contains: `Thank you, ${FORM.name}.` },
      ],
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { task: parsed.task, source: 'bench', folder: '.' };
}

type HarnessTimes = Record<'callMs' | 'answerToRewardMs' | 'addedMs' | 'rewardToPictureMs', number[]>;

/** `stepMs`: what the agent waited for each of its steps, in order. */
function addTimes(times: HarnessTimes, events: readonly JournalEvent[], stepMs: readonly number[]): void {
  const steps = new Map<string, { step: number; answeredAt?: number; rewardedAt?: number }>();
  for (const event of events) {
    if (event.type === 'tool_call' && event.step > 0) steps.set(event.callId, { step: event.step });
    const known = 'callId' in event && event.callId !== undefined ? steps.get(event.callId) : undefined;
    if (!known) continue;
    if (event.type === 'tool_result') {
      known.answeredAt = event.time;
      times.callMs.push(event.durationMs);
      const waited = stepMs[known.step - 1];
      if (waited !== undefined) times.addedMs.push(waited - event.durationMs);
    }
    if (event.type === 'reward' && known.answeredAt !== undefined) {
      known.rewardedAt = event.time;
      times.answerToRewardMs.push(event.time - known.answeredAt);
    }
    if (event.type === 'screenshot' && known.rewardedAt !== undefined)
      times.rewardToPictureMs.push(event.time - known.rewardedAt);
  }
}
