import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../test/journal/documented-events.ts';
import { isToolResult } from '../../events/index.ts';
import { readAgentResult } from '../read-agent-result.ts';
import { readReport } from '../report.ts';
import { verifyRun } from '../verify/verify-run.ts';
import { importTraces } from './import-traces.ts';

const TASK = {
  id: 'buy-lamp',
  title: 'Buy a lamp',
  startUrl: 'https://shop.test/',
  goal: 'Buy a lamp.',
  success: { kind: 'url', pattern: '/thanks' },
};
const parts = [
  { type: 'tool-call', toolCallId: 'a', toolName: 'click', input: { text: 'Buy' } },
  { type: 'tool-result', toolCallId: 'a', toolName: 'click', output: 'Bought.' },
  { type: 'tool-result', toolCallId: 'z', toolName: 'click', output: 'Nobody asked.' },
  { type: 'tool-call', toolCallId: 'a', toolName: 'click', input: {} },
  { type: 'text-delta', id: 't', text: 'I bought it.' },
  { type: 'raw', rawValue: 1 },
];

async function imported(folder: (name: string) => string, ...traces: (readonly object[])[]) {
  writeFileSync(folder('task.json'), JSON.stringify(TASK));
  const files = traces.map((trace, index) => {
    writeFileSync(folder(`${index}.jsonl`), trace.map((part) => `${JSON.stringify(part)}\n`).join(''));
    return `${index}.jsonl`;
  });
  return importTraces({ files, task: 'task.json', out: 'run', cwd: folder('.'), version: '0' });
}

test('a trace becomes a run that is viewed like any other; the contract is not judged, and that is not the agent’s failure', async () => {
  using folder = testFolder();
  const { root, report } = await imported(folder, parts, [...parts, { type: 'error', error: 'rate limit' }]);
  const episodes = path.join(root, 'episodes', 'buy-lamp');
  const { metadata, messages, finalAnswer } = await readAgentResult(path.join(episodes, 'trial-1'));
  expect(finalAnswer).toBe('I bought it.');
  expect(messages).toMatchObject([
    { type: 'user', content: 'Buy a lamp.' },
    { type: 'tool_call', tool: 'click', toolCallId: 'a', params: { text: 'Buy' } },
    { type: 'tool_result', toolCallId: 'a', result: 'Bought.', isError: false },
    { type: 'assistant', content: 'I bought it.' },
  ]);
  expect(messages.filter(isToolResult).every(({ screenshot }) => screenshot === undefined)).toBe(true);
  expect(metadata).toMatchObject({
    total_steps: 1,
    screenshots: { attempted: 0, written: 0 },
    termination_reason: 'completed',
    agent_config: { kind: 'imported', format: 'AI SDK stream' },
    grader_results: {
      contract: { verdict: 'error', score: null, details: { outcome: 'grader_error', finalVerdict: 'not_judged' } },
    },
  });
  // What can't be mapped is counted and said.
  expect(metadata.warnings.map(({ message }) => message)).toEqual([
    'The trace has what the journal has no place for: an event of the type raw (1 time).',
    'The trace has what the journal has no place for: a result that belongs to no open call (1 time).',
    'The trace has what the journal has no place for: a call with an id that another call has (1 time).',
  ]);
  expect(readReport(root).episodes).toMatchObject([
    {
      status: 'answered',
      outcome: 'grader_error',
      finalVerdict: 'not_judged',
      reason:
        "It was imported (AI SDK stream): the harness did not see the browser, so that the contract can't be judged.",
    },
    { status: 'error', outcome: 'adapter_error' },
  ]);
  expect(report.summary).toMatchObject({ episodes: 2, passed: 0, validOnly: { of: 0 } });
  expect(readFileSync(path.join(root, 'report.html'), 'utf8')).toContain('"finalVerdict":"not judged"');
  expect(await verifyRun(root, { version: '0' })).toMatchObject({ ok: true });
});

test('nothing is written where a trace or the task can’t be used', async () => {
  using folder = testFolder();
  await expect(imported(folder, parts, [{ type: 'start' }])).rejects.toMatchObject({ code: 'usage_bad_trace' });
  expect(existsSync(folder('run'))).toBe(false);
  const choices = { files: ['none.json'], task: 'task.json', out: 'run', cwd: folder('.'), version: '0' };
  await expect(importTraces(choices)).rejects.toMatchObject({ message: "The file none.json can't be read." });
  await expect(importTraces({ ...choices, task: 'no-task.json' })).rejects.toThrow(/no-task\.json/);
});

test('a folder that has a run is left alone', async () => {
  using folder = testFolder();
  await imported(folder, parts);
  await expect(imported(folder, parts)).rejects.toMatchObject({ code: 'usage_run_exists' });
});
