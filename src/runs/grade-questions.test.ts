import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { itemSchema } from '../cases/index.ts';
import { type Grade, questionJournal, type RunPlan } from '../events/index.ts';
import { systemContext } from '../models/index.ts';
import { FolderRunStore } from './folder/folder-run-store.ts';
import { gradeQuestions } from './grade-questions.ts';
import { questionResult } from './question-result.ts';
import { regradeQuestions } from './regrade-questions.ts';

const ITEMS = [
  { id: 'right', type: 'freeform', prompt_text: 'The capital of France?', answer: 'Paris' },
  { id: 'open', type: 'judge', prompt_text: 'Why is the sky blue?', criteria: 'Names scattering.' },
].map((item) => itemSchema.parse(item));

/** An answered run in a folder, graded once without a judge. */
async function gradedRun(root: string) {
  const attempts = ITEMS.map((item) => ({ runId: 'r', caseId: item.id, trial: 1, attempt: 1 }));
  const plan: RunPlan = {
    runId: 'r',
    suite: { name: 'two', hash: 'h' },
    variant: { kind: 'model', provider: { kind: 'openai' }, model: 'm' },
    trials: 1,
    inputs: { hash: 'h', of: {} },
    cells: attempts.map(({ caseId, trial }) => ({ caseId, trial })),
    createdAt: 1_000,
  };
  const agent = { kind: 'model', name: 'm' };
  const store = new FolderRunStore(root);
  await store.addFinished(
    plan,
    attempts.map((attempt, index) => ({
      attempt,
      events: questionJournal(
        { attempt, agent, task: ITEMS[index], prompt: '?' },
        { answer: 'Paris' },
        { startedAt: 1_000, finishedAt: 2_000 },
      ),
    })),
  );
  const run = { plan, items: new Map(ITEMS.map((item) => [item.id, item])), judge: undefined };
  const context = systemContext(new AbortController().signal, () => [], {});
  const grade = () => gradeQuestions({ run, store, context, now: () => 3_000 });
  await grade();
  const grades = async () => await Promise.all(attempts.map((attempt) => store.grades(attempt)));
  return { store, attempts, grade, grades, [Symbol.dispose]: () => store[Symbol.dispose]() };
}

const RUBRIC: Grade = { grader: 'rubric', round: 5, verdict: 'fail', score: 0, details: {}, at: 4_000 };

test('a grade of a further grader is neither asked about again nor shown as the verdict', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-grade-questions-'));
  try {
    const root = path.join(folder, 'run');
    using run = await gradedRun(root);
    const before = await run.grades();
    expect(before.map((grades) => grades.map(({ grader, verdict }) => `${grader} ${verdict}`))).toEqual([
      ['exact pass'],
      ['judge skipped'],
    ]);
    for (const attempt of run.attempts) await run.store.appendGrades(attempt, [RUBRIC]);
    // A resume: what has its verdict keeps it.
    await run.grade();
    expect(await run.grades()).toEqual(before.map((grades) => [...grades, RUBRIC]));
    expect(await regradeQuestions(root)).toMatchObject({ checked: 1, judged: 1, changed: [] });
    const [attempt] = run.attempts;
    if (!attempt) throw new Error('there is an attempt');
    const events = await Array.fromAsync(run.store.events(attempt));
    const result = questionResult({ ...attempt, journal: '', events, grades: await run.store.grades(attempt) });
    expect(result.grade).toMatchObject({ grader: 'exact', round: 1, verdict: 'pass' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
