/** Foreign agents as processes: what they get, how they end, and that nothing of them is left. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExternalOptions, externalAgent } from '../../../src/agents/index.ts';
import type { TaskInput } from '../../../src/cases/index.ts';
import { isRunning } from '../../cli/descendants.ts';
import { type Lab, openLab } from '../../support/lab.ts';
import { type Played, type PlayOptions, play, task } from '../../support/stage.ts';
import { unusual } from '../../support/usual-variables.ts';

let lab: Lab;
let folder: string;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-external-'));
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const AGENT = path.join(import.meta.dirname, 'child-agent.ts');
const KEY = 'sk-test-key-0123456789';
const env = { PATH: process.env['PATH'], TEST_KEY: KEY, OTHER_KEY: 'never handed over' };
let attempts = 0;

interface ExternalPlayed extends Played {
  stdout: string;
  stderr: string;
  /** The lines of stdout that are JSON. */
  said: Record<string, never>[];
}

async function run(
  behaviour: readonly string[],
  changes: Partial<TaskInput> = {},
  options: Partial<ExternalOptions> = {},
  how: PlayOptions = {},
): Promise<ExternalPlayed> {
  const place = { folder: path.join(folder, String(++attempts)), env };
  const command = [process.execPath, AGENT, ...behaviour];
  const agent = externalAgent({ command, ...options }, env).make(undefined, place);
  const played = await play(lab, task(lab, '/recovery/progress-positive', changes), agent, how);
  const kept = (name: string): string => readFileSync(path.join(place.folder, 'agent', `${name}.txt`), 'utf8');
  const stdout = kept('stdout');
  const said = stdout.split('\n').flatMap((line) => (/^[{[]/.test(line) ? [JSON.parse(line)] : []));
  return { ...played, stdout, stderr: kept('stderr'), said };
}

test('its calls are steps; texts, pictures and errors come back as the tools gave them; task_done ends it', async () => {
  const { stop, said, of, result } = await run(['uses-tools']);
  expect(stop).toMatchObject({ status: 'failed', answer: 'Arrived' });
  const [{ tools, page, picture, refused, odd } = {} as never] = said as unknown as Record<string, never>[];
  expect(tools).toEqual(expect.arrayContaining(['read_page', 'interact', 'task_done']));
  expect(page).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('Advance') }] });
  expect(picture).toMatchObject({ content: expect.arrayContaining([expect.objectContaining({ type: 'image' })]) });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no_such_tool') }] });
  expect(odd).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Not a call') }] });
  expect(of('tool_call').filter(({ by }) => by === 'agent')).toHaveLength(3);
  expect(result.steps).toBe(3);
  expect(of('message').map(({ message }) => message.type)).toEqual(['user', 'assistant']);
});

test('its exit means done; what it printed last is its answer', async () => {
  const { stop, result } = await run(['exits-with-answer']);
  expect(stop).toMatchObject({ status: 'failed', answer: 'It is done.' });
  expect(result.steps).toBe(1);
});

test('calls at once are made one after the other, and task_done among them waits for the others', async () => {
  const { stop, of } = await run(['calls-at-once']);
  expect(stop).toMatchObject({ answer: '2' });
  const order = of('tool_call').filter(({ by }) => by === 'agent');
  expect(order.map(({ step }) => step)).toEqual([1, 2]);
  expect(of('tool_result').filter(({ aborted }) => aborted)).toEqual([]);
});

test('calls after the end reach no tool', async () => {
  const { stop, of } = await run(['calls-after-the-end']);
  expect(stop).toMatchObject({ status: 'failed' });
  expect(of('tool_call').filter(({ by }) => by === 'agent')).toEqual([]);
});

test('at the cap it is ended with its children, also those that ignore SIGTERM or left its group', async () => {
  const { stop, said } = await run(['ignores-sigterm'], { maxSteps: 1 });
  expect(stop).toMatchObject({ status: 'max_steps' });
  const pids = (said[0] as unknown as { pids: number[] }).pids;
  expect(pids).toHaveLength(3);
  expect(pids.filter(isRunning)).toEqual([]);
});

test('an agent that connected and then falls silent runs out of time', async () => {
  const { stop } = await run(['falls-silent'], { maxDurationMs: 10_000 });
  expect(stop).toMatchObject({ status: 'timeout' });
});

test('children that outlive it are ended', async () => {
  const { stop, said } = await run(['exits-before-its-children']);
  expect(stop).toMatchObject({ status: 'failed' });
  expect((said[0] as unknown as { pids: number[] }).pids.filter(isRunning)).toEqual([]);
});

test.each([
  ['never-connects', 'The agent failed: it did not connect to the browser tools within 0.5 seconds.'],
  ['exits-without-connecting', 'its command exited with code 0 and had not connected to the browser tools.'],
  ['has-another-token', 'its command exited with code 0 and had not connected to the browser tools.'],
])('an agent that %s is an adapter error', async (behaviour, sentence) => {
  const { stop } = await run([behaviour], {}, behaviour === 'never-connects' ? { connectMs: 500 } : {});
  expect(stop).toMatchObject({ status: 'adapter_error', reason: expect.stringContaining(sentence) });
});

test('an agent that has not connected at half of a short time is no timeout', async () => {
  const { stop } = await run(['never-connects'], { maxDurationMs: 3_000 });
  expect(stop).toMatchObject({ status: 'adapter_error', reason: expect.stringContaining('within 1.') });
});

test('output is kept in bounds, and without the token and the keys', async () => {
  const { stop, stdout } = await run(['prints-megabytes'], {}, { passEnv: ['TEST_KEY'] });
  expect(stop).toMatchObject({ answer: 'printed' });
  expect(stdout.length).toBeLessThan(600_000);
  expect(stdout).toContain('… (cut: 800000 characters)');
  expect(stdout).toContain('line 19999 with {{secret:WAYMARK_MCP_TOKEN}} and {{secret:TEST_KEY}}\n');
  expect(stdout).not.toContain(KEY);
});

test.each(['0', '1'])(
  'a provider that refuses the key is an adapter error, whatever the exit code (%s)',
  async (code) => {
    const { stop, events, stderr } = await run(['loses-its-provider', code], {}, { passEnv: ['TEST_KEY'] });
    expect(stop).toMatchObject({
      status: 'adapter_error',
      reason: expect.stringContaining(
        'The model could not be asked: the provider of its model refused the key: API Error: 401',
      ),
    });
    expect(JSON.stringify(events) + stderr).not.toContain(KEY);
  },
);

test('a provider that fails until the time is over is no timeout of the agent', async () => {
  const { stop } = await run(['retries-forever'], { maxDurationMs: 10_000 });
  expect(stop).toMatchObject({
    status: 'adapter_error',
    reason: expect.stringContaining('answered with a server error: Attempt failed with status 500'),
  });
});

test('a crash is an adapter error with its last output', async () => {
  const { stop } = await run(['crashes']);
  expect(stop).toMatchObject({ status: 'adapter_error', reason: expect.stringContaining('a bug of the agent') });
});

test('it gets a clean home, an empty input, only the variables that are named, and its placeholders filled in', async () => {
  const words = ['{taskId}', 'at {mcpUrl}', '{goalFile}', '{mcpConfig}', '{workdir}', '$HOME;{other}'];
  const { said } = await run(['tells-what-it-got', ...words], { goal: 'Do {taskId}.' }, { passEnv: ['TEST_KEY'] });
  const got = said[0] as unknown as { env: Record<string, string>; args: string[]; cwd: string };
  expect(unusual(Object.keys(got.env)).sort()).toEqual(['TEST_KEY', 'WAYMARK_MCP_TOKEN', 'WAYMARK_MCP_URL']);
  const { HOME = '', WAYMARK_MCP_URL: url } = got.env;
  expect(HOME).not.toBe(process.env['HOME']);
  expect(got.args).toEqual([
    'test-task',
    `at ${url}`,
    `${HOME}/goal.txt`,
    `${HOME}/mcp.json`,
    got.cwd,
    '$HOME;{other}',
  ]);
  expect(said).toHaveLength(1);
});

test('a program that does not exist is said before anything starts', () => {
  expect(() => externalAgent({ command: ['no-such-agent'] }, env)).toThrow(
    'The command "no-such-agent" of the external agent was not found.',
  );
});
