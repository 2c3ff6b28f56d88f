import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateDataset } from '../../fixtures/chat/datasets/generate.ts';
import type { ChatPage } from '../../fixtures/chat/pages.ts';
import { bookmarklet, bookmarkletLoader, type ItemResult, packFile, rawScript } from '../../src/capture/formats.ts';
import { readZip } from './read-zip.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage[Symbol.asyncDispose]());

/** A second ZIP reader, if it is installed. */
function testedByUnzip(bytes: Buffer = Buffer.alloc(0)): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-zip-'));
  try {
    writeFileSync(path.join(folder, 'capture.zip'), bytes);
    const { stdout, error } = spawnSync('unzip', ['-t', 'capture.zip'], { cwd: folder, encoding: 'utf8' });
    return error ? 'no unzip here' : stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const questions: [prompt: string, answer: string][] = [
  ['What is the capital of France?', 'The capital of France is Paris.'],
  [
    'Which planet is closest to the Sun?\nA) Venus\nB) Mercury\n\nC) Mars',
    'Mercury is the closest planet to the Sun.\n\nThe answer is B.',
  ],
  ['What is 17 + 25?', '17 + 25 = 42'],
  [
    'Say “</script>”, 100 % & <b>\u2028🧭 日本</b> #1 \'"\\n`x`',
    'You said: Say “</script>”, 100 % & <b> 🧭 日本</b> #1 \'"\\n`x`',
  ],
];

describe.concurrent('a bookmarklet runs all items and saves them', () => {
  test.each<[string, ChatPage, Record<string, string>, string]>([
    ['ChatGPT, new layout', 'chatgpt', {}, 'Chat 5 Fixture'],
    ['ChatGPT, old layout', 'chatgpt', { layout: 'old' }, 'Chat 5 Fixture'],
    ['Gemini, under Trusted Types', 'gemini', {}, '2.5 Fixture'],
    ['a custom page', 'custom', {}, 'Helper 1 Fixture'],
  ])('%s', async (_name, page, query, model) => {
    await using chat = await stage.chat(page, query);
    const pack = chat.pack(
      questions.map(([prompt]) => prompt),
      {
        judge: { provider_id: 'p1', model: 'judge-1', prompt: 'Is it “right”?' },
      },
    );
    await chat.run(pack);

    const [file, ...others] = await chat.saved();
    expect(others).toEqual([]);
    expect(file?.name).toMatch(new RegExp(`^browser-harness-${page}-\\d{8}T\\d{6}Z\\.eval752\\.zip$`));
    const files = readZip(file?.bytes ?? Buffer.alloc(0));
    expect([...files.keys()]).toEqual(['manifest.json', 'browser_harness.json', 'results.jsonl']);
    const manifest = JSON.parse(files.get('manifest.json') ?? '') as Record<string, unknown>;
    expect(manifest).toEqual({
      format: 'eval752.browser_harness.v1',
      exported_at: expect.stringMatching(/^\d{4}-.*Z$/),
      item_count: 4,
      error_count: 0,
      runtime_revision: '2',
      preset_revision: pack.preset_revision,
    });
    expect(JSON.parse(files.get('browser_harness.json') ?? '')).toEqual({
      dataset_token: 'header.payload.signature',
      target: pack.target,
      judge: pack.judge,
      session: { started_at: expect.any(String), finished_at: manifest.exported_at },
      label: 'Trial',
    });
    const lines = (files.get('results.jsonl') ?? '').split('\n');
    expect(lines.pop()).toBe('');
    const results = lines.map((line) => JSON.parse(line) as ItemResult);
    expect(results).toEqual(
      questions.map(([prompt, answer], index) => ({
        dataset_item_id: `i${index + 1}`,
        prompt_text: prompt,
        response: answer,
        error: null,
        timing: { started_at: expect.any(String), finished_at: expect.any(String), latency_ms: expect.any(Number) },
        model_label: model,
      })),
    );
    for (const { timing } of results) {
      expect(Date.parse(timing.finished_at) - Date.parse(timing.started_at)).toBe(timing.latency_ms);
      expect(timing.latency_ms).toBeGreaterThan(0);
    }
    expect(await chat.sent()).toHaveLength(4);
    expect(await chat.clicks()).toBe(4);
    expect(testedByUnzip(file?.bytes)).toMatch(/No errors detected|no unzip here/);
    expect(chat.noise()).toEqual([]);
  });
});

test('a link on a page starts it like a bookmark', async () => {
  await using chat = await stage.chat('custom');
  const address = bookmarklet(chat.pack(['What is 2 + 3?']), stage.runtime);
  await chat.evaluate(`(() => {
    const link = document.createElement('a');
    link.href = ${JSON.stringify(address)};
    document.body.append(link);
    link.click();
  })()`);
  expect((await chat.finished()).results[0]?.response).toBe('2 + 3 = 5');
  expect(chat.noise()).toEqual([]);
});

test('the raw script does the same from a console', async () => {
  await using chat = await stage.chat('gemini');
  await chat.session.send('Runtime.evaluate', { expression: rawScript(chat.pack(['What is 2 + 3?']), stage.runtime) });
  expect((await chat.finished()).results[0]?.response).toBe('2 + 3 = 5');
  expect(chat.noise()).toEqual([]);
});

test('a pack too large for a bookmarklet is read from its file', async () => {
  await using chat = await stage.chat('custom');
  const pack = chat.pack(generateDataset(1000));
  expect(bookmarklet(pack, stage.runtime)).toBeUndefined();
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-pack-'));
  try {
    const [file, wrong] = [path.join(folder, 'pack.json'), path.join(folder, 'wrong.json')];
    writeFileSync(file, packFile(pack));
    writeFileSync(wrong, 'not JSON');
    await chat.startAddress(bookmarkletLoader(stage.runtime));
    await chat.panel.says('Choose the pack file');
    const choose = async (chosen: string): Promise<void> => {
      const input = await chat.panel.find(({ localName }) => localName === 'input');
      await chat.session.send('DOM.setFileInputFiles', {
        files: [chosen],
        backendNodeId: input?.backendNodeId ?? 0,
      });
    };
    await choose(wrong);
    await chat.panel.says('This file is no pack');
    await choose(file);
    await chat.panel.says('2 / 1000');
    await chat.panel.click('Stop and download');
    const { results } = await chat.finished();
    expect(results.slice(0, 2).map(({ response }) => response)).toEqual([
      '11 + 7 = 18',
      expect.stringMatching(/The answer is C\.$/),
    ]);
    expect((await chat.saved())[0]?.name).toMatch(/-partial\.eval752\.zip$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
