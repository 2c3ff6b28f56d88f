import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toJsonl } from '../../src/cases/index.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { heardCommand } from '../support/heard-command.ts';
import { PROGRAMMATIC, packSchema, sessionAt, zipOf } from './api.ts';

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

test('runs are listed, shown, exported and deleted at the command line', async () => {
  const pack = packSchema.parse(JSON.parse(readFileSync(path.join(cwd, 'pack.json'), 'utf8')));
  writeFileSync(path.join(cwd, 'other.eval752.zip'), zipOf(pack, { ...sessionAt(60), label: 'Other' }));
  const { json: imported } = await waymark('import-capture', 'other.eval752.zip');
  const id = String(imported['run_id']);
  const listed = await waymark('runs', 'list', '--search', 'Questions');
  expect(listed).toMatchObject({ code: 0, json: { total: 2, runs: [{ id }, { id: expect.any(String) }] } });
  expect(await waymark('runs', 'list', '--search', 'nothing')).toMatchObject({ code: 0, json: { total: 0, runs: [] } });
  const said = async (...args: string[]) => (await heardCommand([...args, ...engine.flags()], cwd)).out;
  expect(await said('runs', 'list', '--limit', '1')).toBe(
    `${id}  “Other”, Questions by ChatGPT Web, Test 1: completed, scoring queued, nothing scored\n1 more: raise --limit, or narrow the list by --search.\n`,
  );
  const answered = `${PROGRAMMATIC.length} of ${PROGRAMMATIC.length} items answered, 0 with errors, 0 missing`;
  expect(await said('runs', 'show', id)).toContain(`scoring: queued\n${answered}\nnothing scored\n`);

  expect(await waymark('runs', 'export', id)).toMatchObject({ code: 0, json: { run: { id }, grades: [] } });
  expect(await waymark('runs', 'export', id, '--format', 'csv', '--out', 'run.csv')).toMatchObject({
    code: 0,
    json: { file: path.join(cwd, 'run.csv') },
  });
  const lines = readFileSync(path.join(cwd, 'run.csv'), 'utf8').trimEnd().split('\r\n');
  expect(lines).toHaveLength(PROGRAMMATIC.length + 1);
  expect((await said('runs', 'export', '--format', 'csv')).trimEnd().split('\r\n')).toHaveLength(3);

  // Nothing scores here, and perhaps nothing ever will: a run that waits for that can be deleted.
  expect(await waymark('runs', 'delete', id)).toEqual({ code: 0, json: { deleted: [id] } });
  expect(await waymark('runs', 'show', id)).toMatchObject({ code: 2, json: { error: { code: 'run_not_found' } } });

  for (const args of [[], ['burn'], ['show'], ['show', 'a', 'b'], ['delete'], ['list', 'a'], ['export', 'a', 'b']])
    expect(await waymark('runs', ...args)).toMatchObject({ code: 2, json: { error: { code: 'usage_runs' } } });
  for (const args of [
    ['--format', 'xls'],
    ['--limit', '0'],
  ])
    expect(await waymark('runs', 'export', ...args)).toMatchObject({
      code: 2,
      json: { error: { code: 'usage_bad_value' } },
    });
});
