import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EpisodeResult } from '../../src/events/index.ts';
import { click, type Lab, openLab, show } from '../support/lab.ts';
import { waymark } from './command-line.ts';

let lab: Lab;
let folder: string;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-class-'));
});
afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => waymark(args, folder);

async function picture(into: string, name: string, pagePath: string, clicks = 0): Promise<void> {
  await using slot = await lab.slot();
  await show(slot, lab.server.origin + pagePath);
  for (let i = 0; i < clicks; i++) await click(slot, '#bump');
  const shot = await slot.witness.screenshot();
  if ('failed' in shot) throw new Error(shot.failed);
  mkdirSync(into, { recursive: true });
  writeFileSync(path.join(into, `${name}.jpg`), shot.data);
}

test('a class is learnt from pictures, and a contract evaluates a live page with it', async () => {
  const small = path.join(folder, 'exemplars', 'small');
  const other = path.join(folder, 'other');
  await picture(small, 'one', '/small', 1);
  await picture(small, 'two', '/small', 2);
  await picture(other, 'form', '/form');
  await picture(other, 'board', '/coordinates');
  const learnt = await run('learn-class', small, '--negatives', other, '--json');
  expect(learnt.code).toBe(0);
  const record = JSON.parse(learnt.out);
  expect(record).toMatchObject({
    class_id: 'small',
    separable: true,
    exemplars: [{ name: 'one.jpg' }, { name: 'two.jpg' }],
  });
  expect(record.nearest_negative).toBeGreaterThan(record.distance_max);
  expect(JSON.parse(readFileSync(path.join(small, 'exemplars.json'), 'utf8'))).toEqual(record);

  const success = { kind: 'screenshot_class', class_id: 'small', distance_max: record.distance_max };
  const moves = [{ action: { action: 'read' } }];
  for (const [id, page] of [
    ['looks-small', '/small'],
    ['looks-other', '/form'],
  ]) {
    const task = {
      id,
      title: 'Looks',
      startUrl: lab.server.origin + page,
      goal: 'Look.',
      success,
      oracle: `${id}.json`,
    };
    writeFileSync(path.join(folder, `${id}.task.json`), JSON.stringify(task));
    writeFileSync(
      path.join(folder, `${id}.json`),
      JSON.stringify({ format: 'waymark.transcript.v1', task: id, moves }),
    );
  }
  writeFileSync(
    path.join(folder, 'fixture.mjs'),
    `export default async () => ({ resolverRules: ${JSON.stringify(lab.server.resolverRules)} });`,
  );
  const ran = await run(
    'run',
    path.join(folder, 'looks-small.task.json'),
    path.join(folder, 'looks-other.task.json'),
    '--json',
  );
  const { episodes } = JSON.parse(ran.out) as { episodes: EpisodeResult[] };
  expect(episodes.map(({ taskId, status }) => `${taskId} ${status}`)).toEqual([
    'looks-small passed',
    'looks-other failed',
  ]);
  expect(episodes[1]?.failedContract).toMatchObject({
    assertion_kind: 'screenshot_class',
    details: { class_id: 'small' },
  });
  expect(ran.code).toBe(1);
}, 60_000);

test('a folder without pictures, and a missing folder, give a clear error', async () => {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  expect(await run('learn-class', empty)).toMatchObject({
    code: 2,
    err: expect.stringContaining('contains no pictures.'),
  });
  writeFileSync(path.join(empty, 'fake.png'), 'no picture');
  expect((await run('learn-class', empty)).err).toContain('is not a picture that the browser can read');
  expect((await run('learn-class', path.join(folder, 'nowhere'))).err).toContain('cannot be read.');
});
