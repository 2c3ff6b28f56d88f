/** A task that another grader than its contract decides, run in a real browser. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunReport } from '../../src/runs/index.ts';
import { temporaryFolder, waymark } from '../cli/command-line.ts';

const PAGE = 'data:text/html,<h1>Opening hours</h1><p id="hours">9 to 17</p>';

const task = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  title: 'When does it open?',
  startUrl: PAGE,
  goal: 'Say at which hour the shop opens.',
  success: { kind: 'dom_text', selector: '#hours', contains: '9 to 17' },
  ...more,
});

/** Reads the page and answers what it was told to. */
const agent = (answer: string) => `export default {
  kind: 'answers',
  async run(session) {
    await session.step({ tool: 'read_page', arguments: {} });
    return { answer: ${JSON.stringify(answer)} };
  },
};
`;

function write(folder: string, file: string, content: unknown): string {
  const name = path.join(folder, file);
  writeFileSync(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const reportOf = (run: string) => JSON.parse(readFileSync(path.join(run, 'report.json'), 'utf8')) as RunReport;

test('the deciding grader passes and fails what the contract would pass; the suite names it for all of its tasks', async () => {
  using folder = temporaryFolder();
  write(folder.path, 'suite.json', {
    graders: [{ grader: 'answer', checker: { kind: 'numeric' }, expected: 9 }],
    decidedBy: 'answer',
  });
  write(folder.path, 'opens.task.json', task('opens'));
  write(folder.path, 'own.task.json', task('own', { decidedBy: 'contract' }));
  const outcomes = async (answer: string) => {
    const out = path.join(folder.path, `run-${answer}`);
    const file = write(folder.path, `agent-${answer}.mjs`, agent(`It opens at ${answer}.`));
    await waymark(['run', folder.path, '--agent', file, '--out', out]);
    return reportOf(out).episodes.map(({ taskId, outcome, success, status, decidedBy, grades }) => ({
      taskId,
      outcome,
      success,
      status,
      decidedBy,
      grades: grades?.map(({ grader, verdict }) => `${grader} ${verdict}`),
    }));
  };
  expect(await outcomes('9')).toEqual([
    {
      taskId: 'opens',
      outcome: 'passed',
      success: true,
      status: 'passed',
      decidedBy: 'answer',
      grades: ['answer pass'],
    },
    {
      taskId: 'own',
      outcome: 'passed',
      success: true,
      status: 'passed',
      decidedBy: undefined,
      grades: ['answer pass'],
    },
  ]);
  expect(await outcomes('17')).toEqual([
    {
      taskId: 'opens',
      outcome: 'failed',
      success: false,
      status: 'passed',
      decidedBy: 'answer',
      grades: ['answer fail'],
    },
    {
      taskId: 'own',
      outcome: 'passed',
      success: true,
      status: 'passed',
      decidedBy: undefined,
      grades: ['answer fail'],
    },
  ]);
});

test('a deciding grader that can’t tell is a fault of the grader, and a later grade decides', async () => {
  using folder = temporaryFolder();
  const module = write(
    folder.path,
    'sometimes.mjs',
    `export default { name: 'x', version: '1', grade() { throw new Error('no table'); } };\n`,
  );
  write(
    folder.path,
    'a.task.json',
    task('a', { graders: [{ grader: 'module', name: 'table', file: './sometimes.mjs' }], decidedBy: 'table' }),
  );
  const agentFile = write(folder.path, 'agent.mjs', agent('9'));
  const out = path.join(folder.path, 'run');
  const ran = await waymark(['run', path.join(folder.path, 'a.task.json'), '--agent', agentFile, '--out', out]);
  expect(ran.code).toBe(1);
  expect(reportOf(out).episodes).toMatchObject([{ outcome: 'grader_error', success: false }]);
  expect(reportOf(out).summary.validOnly).toMatchObject({ of: 0 });
  writeFileSync(
    module,
    `export default { name: 'x', version: '2', grade: ({ answer }) => ({ verdict: answer === '9' ? 'pass' : 'fail', reasoning: 'By the table.' }) };\n`,
  );
  const again = await waymark(['grade', out, '--tasks', folder.path]);
  expect(again.code, again.err).toBe(0);
  expect(reportOf(out).episodes).toMatchObject([{ outcome: 'passed', success: true, reason: 'table: By the table.' }]);
});

test('rules of a file that are judged by recorded requests are recorded in the run', async () => {
  using folder = temporaryFolder();
  write(folder.path, 'a.task.json', task('a'));
  const rules = write(folder.path, 'quiet.json', {
    grader: 'network',
    name: 'quiet',
    expect: [{ url: '^http.*$', shouldNotExist: true }],
  });
  const out = path.join(folder.path, 'run');
  const agentFile = write(folder.path, 'agent.mjs', agent('9'));
  const ran = await waymark([
    'run',
    path.join(folder.path, 'a.task.json'),
    '--agent',
    agentFile,
    '--grader',
    rules,
    '--out',
    out,
  ]);
  expect(ran.code, ran.err).toBe(0);
  expect(reportOf(out).episodes).toMatchObject([{ grades: [{ grader: 'quiet', verdict: 'pass' }] }]);
});
