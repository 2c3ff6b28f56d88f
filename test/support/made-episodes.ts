/** Runs of an agent made by hand, without a browser: each case is one shop in which a step differs between passing and failing. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AttemptRef, JournalEvent, RunPlan } from '../../src/events/index.ts';
import { attemptPath, FolderRunStore, type RunStore, writeReports } from '../../src/runs/index.ts';
import { planOf } from '../runs/attempts.ts';
import { answered, called, madeJournal, pictured, seen, stopped } from './made-journal.ts';

export interface MadeEpisodes {
  cases: readonly string[];
  trials?: number;
  suite?: string;
  experiment?: string;
  server?: string;
  /** Settings of the agent `single`; without them, the agent is `scripted`. */
  config?: Record<string, unknown>;
  createdAt: string;
  passes: (caseId: string, trial: number) => boolean;
}

/** A grey picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

export function madeEpisodes({
  cases,
  trials = 1,
  suite = 'shop',
  experiment,
  server,
  config,
  createdAt,
  passes,
}: MadeEpisodes) {
  const plan: RunPlan = {
    ...planOf(cases, trials),
    suite: { name: suite, hash: `hash of ${suite}` },
    variant: {
      kind: 'agent',
      agent: config ? { kind: 'single', config } : { kind: 'scripted' },
      server: { name: server ?? 'embedded' },
    },
    createdAt: Date.parse(createdAt),
    ...(experiment === undefined ? {} : { experiment }),
  };
  const attempts = plan.cells.map((cell) => {
    const attempt = { runId: plan.runId, ...cell, attempt: 1 };
    return { attempt, events: shopJournal(attempt, passes(cell.caseId, cell.trial)) };
  });
  return { plan, attempts };
}

/** Into a folder, with its report and a picture of the second step. @returns the run's id */
export async function recordEpisodes(root: string, made: MadeEpisodes): Promise<string> {
  const { plan, attempts } = madeEpisodes(made);
  await new FolderRunStore(root).addFinished(plan, attempts);
  for (const { attempt } of attempts) {
    const pictures = path.join(root, attemptPath(attempt), 'screenshots');
    mkdirSync(pictures);
    writeFileSync(path.join(pictures, '002.jpg'), PIXEL);
  }
  await writeReports(root);
  return plan.runId;
}

/** Into another store, as workers do. @returns the run's id */
export async function storeEpisodes(store: RunStore, made: MadeEpisodes): Promise<string> {
  const { plan, attempts } = madeEpisodes(made);
  await store.addFinished(plan, attempts);
  for (const { attempt } of attempts) await store.keepArtifact(attempt, 'screenshots/002.jpg', PIXEL);
  return plan.runId;
}

function shopJournal(attempt: AttemptRef, passes: boolean): JournalEvent[] {
  const [start, ...rest] = madeJournal([
    called('c1', 1, undefined, { arguments: { selector: '#same' } }),
    answered('c1'),
    seen('http://shop.test/', undefined, 'c1'),
    called('c2', 2, undefined, { arguments: { selector: passes ? '#buy' : '#help' } }),
    answered('c2'),
    seen(`http://shop.test/${passes ? 'done' : 'help'}`, undefined, 'c2'),
    pictured('c2', 2),
    stopped(passes ? { status: 'passed', reason: 'The contract passed.' } : {}),
  ]);
  const { runId, caseId, trial } = attempt;
  const of = { runId, taskId: caseId, trial, attempt: attempt.attempt, task: { id: caseId, tags: ['shop'] } };
  return [{ ...start, ...of } as JournalEvent, ...rest];
}
