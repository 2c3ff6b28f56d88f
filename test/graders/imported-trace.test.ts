/** A trace that was made elsewhere has no evidence; graders that need none decide about it. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/runs/index.ts';
import { temporaryFolder, waymark } from '../cli/command-line.ts';

const TASK = {
  id: 'opens',
  title: 'When does it open?',
  startUrl: 'https://shop.example/',
  goal: 'Say at which hour the shop opens.',
  success: { kind: 'dom_text', contains: '9 to 17' },
  graders: [
    { grader: 'answer', checker: { kind: 'numeric' }, expected: 9 },
    { grader: 'trajectory', required: ['browser_snapshot'], maxSteps: 3, forbiddenHosts: ['ads.example'] },
  ],
  decidedBy: 'answer',
};

const trace = (answer: string) => ({
  schema_version: 'ATIF-v1.7',
  agent: { name: 'elsewhere', version: '1' },
  steps: [
    { step_id: 1, source: 'user', message: TASK.goal },
    {
      step_id: 2,
      source: 'agent',
      message: '',
      tool_calls: [{ tool_call_id: 'a', function_name: 'browser_snapshot', arguments: {} }],
      observation: { results: [{ source_call_id: 'a', content: 'Open 9 to 17' }] },
    },
    { step_id: 3, source: 'agent', message: answer },
  ],
});

test.each([
  ['It opens at 9.', 'passed', 'pass'],
  ['It opens at 17.', 'failed', 'fail'],
])('an imported trace that answers %j is %s', async (answer, outcome, verdict) => {
  using folder = temporaryFolder();
  const file = (name: string, content: unknown): string => {
    writeFileSync(path.join(folder.path, name), JSON.stringify(content));
    return path.join(folder.path, name);
  };
  const out = path.join(folder.path, 'run');
  const given = [file('trace.json', trace(answer)), '--task', file('opens.task.json', TASK), '--out', out];
  const imported = await waymark(['import-trace', ...given]);
  expect(imported.code, imported.err).toBe(0);
  const graded = await waymark(['grade', out]);
  expect(graded.code, graded.err).toBeLessThan(2);
  const { episodes } = JSON.parse(readFileSync(path.join(out, 'report.json'), 'utf8')) as RunReport;
  expect(episodes).toMatchObject([{ outcome, decidedBy: 'answer' }]);
  const grades = new Map(episodes[0]?.grades?.map((grade) => [grade.grader, grade]));
  expect(grades.get('answer')?.verdict).toBe(verdict);
  // Without a witness it is not known which hosts it asked.
  expect(grades.get('trajectory')).toMatchObject({ verdict: 'skipped', reasoning: expect.stringContaining('Hosts') });
});
