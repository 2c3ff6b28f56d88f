import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonl } from '../../src/cases/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { heardCommand } from '../support/heard-command.ts';
import { PROGRAMMATIC, packSchema, zipOf } from './api.ts';

let engine: EngineUnderTest;
const cwd = mkdtempSync(path.join(tmpdir(), 'waymark-commands-'));
beforeAll(async () => {
  engine = await engines[0].prepare();
  await (await engine.open()).close();
});
afterAll(async () => {
  await engine?.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function waymark(...args: string[]) {
  const { code, out } = await heardCommand([...args, ...engine.flags(), '--json'], cwd);
  return { code, json: JSON.parse(out) as Record<string, unknown> };
}

test('without the page: a dataset from a file, a pack of it, its capture imported, once', async () => {
  writeFileSync(path.join(cwd, 'questions.jsonl'), toJsonl(PROGRAMMATIC));
  const { json } = await waymark('datasets', 'import', 'questions.jsonl', '--name', 'Questions');
  const { id } = json['dataset'] as { id: string };
  expect((await waymark('datasets', 'list')).json).toMatchObject({ datasets: [{ id, name: 'Questions' }] });
  expect(await waymark('datasets', 'export', id)).toMatchObject({ code: 0, json: { jsonl: toJsonl(PROGRAMMATIC) } });
  expect(await waymark('pack', id)).toMatchObject({ code: 0 });
  const pack = packSchema.parse(JSON.parse(readFileSync(path.join(cwd, 'pack.json'), 'utf8')));
  writeFileSync(path.join(cwd, 'capture.eval752.zip'), zipOf(pack));
  const first = await waymark('import-capture', 'capture.eval752.zip');
  expect(first).toMatchObject({ code: 0, json: { counts: { expected: PROGRAMMATIC.length, missing: 0 } } });
  const second = await waymark('import-capture', 'capture.eval752.zip');
  expect(second).toMatchObject({ code: 0, json: { run_id: first.json['run_id'], duplicate: true } });
  expect(await waymark('import-capture', 'questions.jsonl')).toMatchObject({
    code: 2,
    json: { error: { code: 'archive_invalid' } },
  });
  expect(await waymark('pack', 'nothing')).toMatchObject({ code: 2, json: { error: { code: 'dataset_not_found' } } });
  expect(await waymark('datasets', 'burn')).toMatchObject({ code: 2, json: { error: { code: 'usage_datasets' } } });
});
