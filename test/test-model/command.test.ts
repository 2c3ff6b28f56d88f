/** `waymark test-model` as a person starts it: a process of its own that runs until Ctrl-C. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plainEnvironment } from '../repository/run-process.ts';
import { heardCommand } from '../support/heard-command.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('prints its addresses, replies, and ends on Ctrl-C', async () => {
  const args = ['src/cli/main.ts', 'test-model', '--policy', 'liar', '--tasks', 'fixtures/tasks', '--fault', '500@2'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: plainEnvironment({ NO_COLOR: '1' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let out = '';
  for await (const chunk of child.stdout) {
    out += chunk;
    if (out.includes('Press Ctrl-C')) break;
  }
  const base = /--model openai-compatible:test --base-url (http:\/\/127\.0\.0\.1:\d+\/v1)$/m.exec(out)?.[1] ?? '';
  const kinds = [...out.matchAll(/--model ([a-z-]+):test --base-url/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(['openai', 'openai-compatible', 'anthropic', 'google', 'ollama']);
  const body = JSON.stringify({ model: 'test', messages: [{ role: 'user', content: 'Hi.' }] });
  const post = () => fetch(`${base}/chat/completions`, { method: 'POST', body });
  expect(await (await post()).json()).toMatchObject({ model: 'waymark-test-model/liar' });
  expect((await post()).status).toBe(500);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
}, 60_000);

test.each([
  [['--policy', 'nobody'], 'There is no policy "nobody".'],
  [['--fault', 'tuesday'], '"tuesday" is no fault.'],
  [['--seed', 'x'], '--seed takes a number, not "x".'],
  [['--tasks', 'nowhere'], 'nowhere: ENOENT'],
])('%j is refused', async (flags, message) => {
  const { code, err } = await heardCommand(['test-model', ...flags], root);
  expect(code).toBe(2);
  expect(err).toContain(message);
});
