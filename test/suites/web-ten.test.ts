/** The suite web-ten: its oracles pass trial after trial, four at once, and near misses fail. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { CommandSandbox, NOTHING_LEFT, readReport } from '../episode/command.ts';
import { FAST, MINUTES, outcomesOf, suite } from './web-ten.ts';

const sandbox = new CommandSandbox();
afterAll(() => sandbox[Symbol.dispose]());
const ids = (await loadTasks([suite])).map(({ task }) => task.id);

test(
  'the oracles pass on the embedded server, in three trials, four attempts at once',
  async () => {
    const ran = await sandbox.run([suite, '--trials', '3', ...FAST]);
    expect(outcomesOf(ran.out)).toEqual(ids.flatMap((id) => [1, 2, 3].map(() => `${id}: passed`)));
  },
  5 * MINUTES,
);

interface NearMiss {
  /** `shop-order.two-lamps`: the task, and what is wrong. */
  name: string;
  task: string;
  transcript: { task: string };
}

const nearMisses: NearMiss[] = readdirSync(path.join(suite, 'near-misses')).map((file) => {
  const transcript = JSON.parse(readFileSync(path.join(suite, 'near-misses', file), 'utf8'));
  return { name: path.basename(file, '.json'), task: transcript.task, transcript };
});

test('every task has at least two near misses', () => {
  const counts = ids.map((id) => nearMisses.filter(({ task }) => task === id).length);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});

test(
  'each near miss does what it says without an error of its own, and the contract fails',
  async () => {
    const folder = path.join(sandbox.folder, 'near');
    mkdirSync(folder, { recursive: true });
    for (const { name, task, transcript } of nearMisses) {
      const spec = JSON.parse(readFileSync(path.join(suite, `${task}.task.json`), 'utf8'));
      const copy = { ...spec, id: name, oracle: `${name}.transcript.json` };
      writeFileSync(path.join(folder, `${name}.task.json`), JSON.stringify(copy));
      writeFileSync(path.join(folder, `${name}.transcript.json`), JSON.stringify({ ...transcript, task: name }));
    }
    const fixture = pathToFileURL(path.join(suite, 'fixture.ts')).href;
    writeFileSync(path.join(folder, 'fixture.mjs'), `export { default } from ${JSON.stringify(fixture)};\n`);
    const ran = await sandbox.run([folder, ...FAST]);
    // A move that could not be made would end as adapter_error; a contract that a near miss fulfils, as passed.
    expect(
      readReport(ran.out)
        .episodes.map(({ taskId, status }) => `${taskId}: ${status}`)
        .sort(),
    ).toEqual(nearMisses.map(({ name }) => `${name}: failed`).sort());
    for (const { reason } of readReport(ran.out).episodes) {
      expect(reason).toBe('The agent is done, and the contract does not pass.');
    }
  },
  6 * MINUTES,
);

test('no process, profile or server folder is left', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
