import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withInstances } from './task-instances.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-instances-'));
  mkdirSync(path.join(folder, 'suite'));
  mkdirSync(path.join(folder, 'plain'));
  writeFileSync(
    path.join(folder, 'suite', 'templates.mjs'),
    `export default (seed) => [{ task: { id: 'a-s' + seed }, oracle: {}, solutions: [], nearMisses: {} }];`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the instances of the seeds take the place of a folder of templates; other places stay', async () => {
  const [made = '', ...rest] = await withInstances(['suite', 'plain'], '2..3', folder);
  expect(rest).toEqual(['plain']);
  expect(path.relative(folder, made)).toBe(path.join('.waymark', 'instances', 'suite-seeds-2..3'));
  expect(existsSync(path.join(made, 'a-s3.task.json'))).toBe(true);
});

test('without --seeds it is seed 0', async () => {
  const [made = ''] = await withInstances(['suite'], undefined, folder);
  expect(existsSync(path.join(made, 'a-s0.task.json'))).toBe(true);
});

test('--seeds without a folder of templates is refused', async () => {
  await expect(withInstances(['plain'], '1', folder)).rejects.toThrow(
    '--seeds is for a folder of task templates, and none was given.',
  );
});
