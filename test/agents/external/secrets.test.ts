/** A run with a key in the environment and a secret of the task: neither is in any file that is left. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { externalAgent } from '../../../src/agents/index.ts';
import { parseTask } from '../../../src/cases/index.ts';
import { executeRun, FolderRunStore, readEvents, resolveRun, writeReports } from '../../../src/runs/index.ts';
import { type Folder, temporaryFolder } from '../../cli/command-line.ts';
import { type Lab, openLab } from '../../support/lab.ts';
import { task } from '../../support/stage.ts';
import { filesWith } from './scan.ts';

let lab: Lab;
let folder: Folder;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
  folder = temporaryFolder();
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const KEY = 'sk-test/key+0123456789';
const PASSWORD = 'correct horse&battery';

test('keys and secrets of an external agent that prints what it knows are in no file', async () => {
  const env = { PATH: process.env['PATH'], TEST_KEY: KEY, SHOP_PASSWORD: PASSWORD };
  const parsed = parseTask(task(lab, '/form', { secrets: ['SHOP_PASSWORD'] }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const command = [process.execPath, path.join(import.meta.dirname, 'child-agent.ts'), 'tells-its-secrets'];
  const agent = externalAgent({ command, passEnv: ['TEST_KEY'] }, env);
  const loaded = { task: parsed.task, source: 'test', folder: folder.path };
  const run = await resolveRun({ tasks: [loaded], agent, env, version: '0' });
  const root = path.join(folder.path, 'run');
  const told: string[] = [];
  {
    using store = new FolderRunStore(root);
    await executeRun(run, {
      store,
      env,
      browsers: { pool: lab.pool },
      onEvent: (event) => told.push(JSON.stringify(event)),
      onProgress: (progress) => void told.push(JSON.stringify(progress)),
    });
  }
  await writeReports(root);
  const episode = path.join(root, 'episodes', parsed.task.id, 'trial-1');
  const events = await readEvents(path.join(episode, 'events.jsonl'));
  expect(events.at(-1)).toMatchObject({
    type: 'stop',
    answer: expect.stringMatching(/^[1-9]\d* files, none with the key; it is \{\{secret:TEST_KEY\}\}$/),
  });
  // The agent did print them, and did use the secret.
  expect(readFileSync(path.join(episode, 'agent/stdout.txt'), 'utf8')).toContain('The key is {{secret:TEST_KEY}}');
  expect(readFileSync(path.join(episode, 'agent/stderr.txt'), 'utf8')).toContain('token={{secret:WAYMARK_MCP_TOKEN}}');
  expect(JSON.stringify(events)).toContain('{{secret:SHOP_PASSWORD}}');
  expect(filesWith(root, [KEY, PASSWORD])).toEqual([]);
  for (const text of told) for (const value of [KEY, PASSWORD]) expect(text).not.toContain(value);
  // The scan finds what is there.
  writeFileSync(path.join(root, 'x'), `…${encodeURIComponent(KEY)}…`);
  expect(filesWith(root, [KEY])).toHaveLength(1);
});
