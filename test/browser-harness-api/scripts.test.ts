import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customSelectors } from '../../fixtures/chat/pages.ts';
import { findLeaks } from '../../src/capture/index.ts';
import { type Item, itemSchema, toJsonl } from '../../src/cases/index.ts';
import { CANARIES, ITEMS } from '../browser-harness/samples.ts';
import { type EngineUnderTest, engines } from '../support/engines.ts';
import { heardCommand } from '../support/heard-command.ts';
import { PROGRAMMATIC } from './api.ts';

let engine: EngineUnderTest;
const cwd = mkdtempSync(path.join(tmpdir(), 'waymark-scripts-'));
beforeAll(async () => {
  engine = await engines[0].prepare();
  await (await engine.open()).close();
});
afterAll(async () => {
  await engine?.close();
  rmSync(cwd, { recursive: true, force: true });
});

async function waymark(...args: string[]) {
  const { code, out, err } = await heardCommand([...args, ...engine.flags()], cwd);
  return { code, out: out + err };
}

const read = (name: string): string => readFileSync(path.join(cwd, name), 'utf8');

async function dataset(items: readonly Item[]): Promise<string> {
  writeFileSync(path.join(cwd, 'items.jsonl'), toJsonl(items));
  const { out } = await waymark('datasets', 'import', 'items.jsonl', '--name', 'Canaries', '--json');
  return (JSON.parse(out) as { dataset: { id: string } }).dataset.id;
}

/** What a script hands to the runtime: the argument of its last call. */
function packIn(script: string): Record<string, unknown> {
  const argument = script.slice(script.lastIndexOf('})(') + 3, script.lastIndexOf(');'));
  return JSON.parse(argument) as Record<string, unknown>;
}

const decoded = (address: string): string => decodeURIComponent(address.trim().slice('javascript:'.length));

const claims = (token: unknown): unknown =>
  String(token)
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown);

test('a script and a bookmarklet hold the prompts and the token, and no answer, checker or criteria', async () => {
  const id = await dataset(PROGRAMMATIC);
  const made = await waymark('pack', id, '--script', 'run.js', '--bookmarklet', 'address.txt', '--json');
  expect(made.code, made.out).toBe(0);
  expect(JSON.parse(made.out)).toEqual({
    file: path.join(cwd, 'pack.json'),
    script: path.join(cwd, 'run.js'),
    bookmarklet: path.join(cwd, 'address.txt'),
    pack_id: expect.any(String),
    expires_at: expect.any(String),
  });
  const [response, script, address] = [read('pack.json'), read('run.js'), read('address.txt')];
  const pack = packIn(script);
  expect(packIn(decoded(address))).toEqual(pack);
  expect(pack).toMatchObject({
    target: { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' },
    preset_revision: 'chatgpt.2026-09',
    items: PROGRAMMATIC.map((item) => ({ id: item.id, prompt_text: item.prompt_text })),
  });
  const leaving = [JSON.parse(response), response, script, address, decoded(address), pack];
  for (const one of [...leaving, claims(pack['dataset_token'])]) {
    expect(findLeaks(one, ITEMS)).toEqual([]);
    const text = JSON.stringify(one);
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
  }
});

test('a pack that no bookmarklet can hold is a file beside one that asks for it', async () => {
  const items = Array.from({ length: 60 }, (_, index) =>
    itemSchema.parse({
      id: `long-${index}`,
      type: 'freeform',
      section: 'long',
      prompt_text: `Which island is number ${index}? ${'Think well. '.repeat(60)}`,
      answer: 'Zanzibar-canary-1',
    }),
  );
  const id = await dataset(items);
  const made = await waymark('pack', id, '--bookmarklet', 'large.txt');
  expect(made.code, made.out).toBe(0);
  expect(made.out).toMatch(
    /the pack is too large for a bookmarklet: \d{2,3},\d{3} characters, and browsers take 60,000\n.*large\.txt: on the chat page it asks for a file\nthat file is .*large\.pack\.json\n/,
  );
  expect(decoded(read('large.txt'))).toMatch(/\}\)\(null\);$/);
  const file = read('large.pack.json');
  expect((JSON.parse(file) as { items: unknown[] }).items).toHaveLength(60);
  expect(findLeaks(JSON.parse(file), items)).toEqual([]);
  expect(`${file}${read('large.txt')}`).not.toContain('Zanzibar');
});

test('a page of one’s own brings its selectors; what is wrong with them is said by field, before anything is made', async () => {
  const id = await dataset(PROGRAMMATIC);
  const custom = ['pack', id, '--target', 'custom', '--origin', 'https://chat.example.com', '--script', 'custom.js'];
  expect(await waymark(...custom)).toMatchObject({
    code: 2,
    out: expect.stringContaining('selectors.composer: composer is needed: enter at least one selector.'),
  });
  writeFileSync(path.join(cwd, 'page.json'), JSON.stringify({ ...customSelectors, busy: [], send: ['a['] }));
  expect(await waymark(...custom, '--selectors', 'page.json')).toMatchObject({
    code: 2,
    out: expect.stringMatching(/selectors\.send\[0\]: A bracket .*\n {2}selectors\.busy: Nothing says when/),
  });
  writeFileSync(path.join(cwd, 'page.json'), JSON.stringify({ ...customSelectors, busy: [] }));
  const made = await waymark(...custom, '--selectors', 'page.json', '--quiet-ms', '3000');
  expect(made.code, made.out).toBe(0);
  expect(packIn(read('custom.js'))).toMatchObject({
    target: { preset: 'custom', origin: 'https://chat.example.com', display_name: 'chat.example.com' },
    preset_revision: 'custom+edited',
    selectors: { composer: ['.write textarea'], busy: [] },
    settings: { quiet_ms: 3000 },
  });
});
