/** `waymark run --watch`: what has changed is run again, and nothing else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { watchTasks } from '../../src/cli/watch-tasks.ts';
import { temporaryFolder } from '../cli/command-line.ts';

const page = (text: string): string => `data:text/html,<h1>${text}</h1>`;
const task = (id: string, text: string): string =>
  JSON.stringify({
    id,
    title: id,
    startUrl: page(text),
    goal: 'Look.',
    success: { kind: 'dom_text', selector: 'h1', contains: 'yes' },
    oracle: 'oracles/look.json',
  });

test('a task whose file changes is run again, alone; a file that is wrong for a while ends nothing', async () => {
  using folder = temporaryFolder();
  const file = (name: string): string => path.join(folder.path, name);
  mkdirSync(file('oracles'));
  writeFileSync(
    file('oracles/look.json'),
    JSON.stringify({ format: 'waymark.transcript.v1', task: 'any', moves: [{ action: { action: 'read' } }] }),
  );
  writeFileSync(file('a.task.json'), task('a', 'yes'));
  writeFileSync(file('b.task.json'), task('b', 'no'));
  let said = '';
  const hear = (text: string): void => {
    said += text;
  };
  const ended = new AbortController();
  const terminal = { out: hear, err: hear, paint: (_: string, text: string) => text, env: {}, cwd: folder.path };
  const watching = watchTasks({ 'no-screenshots': true, watch: true }, terminal, [folder.path], ended.signal);
  const waits = (times: number): Promise<void> =>
    vi.waitFor(() => expect(said.split('waiting for changes').length - 1, said).toBe(times), { timeout: 60_000 });
  await waits(1);
  expect(said).toContain('1 of 2 passed');
  writeFileSync(file('b.task.json'), '{"id": "b",');
  await waits(2);
  expect(said).toContain('b.task.json: no JSON');
  said = '';
  writeFileSync(file('b.task.json'), task('b', 'yes'));
  await waits(1);
  expect(said).toContain('1 of 1 passed');
  ended.abort();
  expect(await watching).toBe(0);
});
