import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { itemSchema } from '../cases/index.ts';
import { type Grade, questionJournal, type RunPlan } from '../events/index.ts';
import { FolderRunStore } from './folder/folder-run-store.ts';
import { writeQuestionReports } from './write-question-reports.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-questions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const grade = (grader: string, verdict: Grade['verdict'], more: Partial<Grade> = {}): Grade => ({
  grader,
  round: 1,
  verdict,
  score: verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null,
  reasoning: `${grader} says ${verdict}.`,
  details: {},
  at: 1,
  ...more,
});

/** Answered questions in a folder, each with these grades; and the texts of its reports. */
async function reportsOf(name: string, gradesOf: Readonly<Record<string, readonly Grade[]>>) {
  const root = path.join(folder, name);
  const items = Object.keys(gradesOf).map((id) =>
    itemSchema.parse({ id, type: 'freeform', prompt_text: 'The capital of France?', answer: 'Paris' }),
  );
  const plan: RunPlan = {
    runId: 'r',
    suite: { name: 'questions', hash: 'h' },
    variant: { kind: 'model', provider: { kind: 'openai' }, model: 'm' },
    trials: 1,
    inputs: { hash: 'h', of: {} },
    cells: items.map(({ id }) => ({ caseId: id, trial: 1 })),
    createdAt: 1_000,
  };
  await new FolderRunStore(root, { now: () => 3_000 }).addFinished(
    plan,
    items.map((item) => {
      const attempt = { runId: 'r', caseId: item.id, trial: 1, attempt: 1 };
      const asked = { attempt, agent: { kind: 'model', name: 'm' }, task: item, prompt: '?' };
      const events = questionJournal(asked, { answer: 'Paris' }, { startedAt: 1_000, finishedAt: 2_000 });
      return { attempt, events, grades: gradesOf[item.id] ?? [] };
    }),
  );
  await writeQuestionReports(root);
  const [json = '', markdown = '', html = ''] = ['report.json', 'report.md', 'report.html'].map((file) =>
    readFileSync(path.join(root, file), 'utf8'),
  );
  return { json, markdown, html };
}

test('further graders of questions stand beside the checker, which decides', async () => {
  const rubric = { model: 'openai:judge', cost: { calls: 1, inputTokens: 10, outputTokens: 2, usd: 0.5 } };
  const { json, markdown, html } = await reportsOf('graded', {
    same: [grade('exact', 'pass'), grade('rubric', 'fail', rubric), grade('rubric', 'pass', { ...rubric, round: 2 })],
    other: [grade('exact', 'fail'), grade('rubric', 'pass', { ...rubric, reasoning: 'It | <b>means</b> Paris.' })],
    open: [grade('rubric', 'pass', rubric)],
  });
  const { summary, items } = JSON.parse(json);
  expect(summary).toMatchObject({ passed: 1, scored: 2 });
  expect(summary.graders).toMatchObject([
    { grader: 'exact', decides: 2, verdicts: { pass: 1, fail: 1, error: 0, skipped: 0 } },
    { grader: 'none', decides: 1, verdicts: { skipped: 1 } },
    {
      grader: 'rubric',
      models: ['openai:judge'],
      verdicts: { pass: 3, fail: 0, error: 0, skipped: 0 },
      cost: { calls: 3, usd: 1.5 },
      agreement: {
        with: ['exact', 'none'],
        table: { bothPass: 1, onlyJudge: 1, onlyReference: 0, neither: 0 },
        notCompared: { noReference: 1, judgeError: 0, judgeSkipped: 0 },
      },
    },
  ]);
  expect(items[0].grades).toEqual([
    { grader: 'rubric', verdict: 'pass', score: 1, reasoning: 'rubric says pass.', ...rubric },
  ]);
  expect(markdown).toContain('- **other**: rubric says pass, exact says fail');
  expect(markdown).toContain('It \\| &lt;b\\>means&lt;/b\\> Paris.');
  expect(markdown).not.toContain('- **same**');
  expect(html).toContain('<h2 id="graders">Graders</h2>');
  expect(html).toContain('It | &lt;b&gt;means&lt;/b&gt; Paris.');
  expect(html).toContain('<a href="episodes/other/trial-1/events.jsonl">other</a>');
});

test('a run without further graders has nothing of them in its reports', async () => {
  for (const text of Object.values(await reportsOf('plain', { same: [grade('exact', 'pass')] })))
    expect(text).not.toMatch(/graders|differences/);
});
