/** Model libraries are loaded by the first use of a model: a run of a transcript pays for none of them. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const LIBRARY = /node_modules\/(ai|ai-sdk-ollama|ollama|@ai-sdk\/[^/]+|@pydantic\/genai-prices)\//;

/** @returns the model libraries that a fresh process loads for these imports and this code. */
async function loadedBy(files: readonly string[], code = ''): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const seen = [];
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    const modules = [];
    for (const file of ${JSON.stringify(files)}) modules.push(await import(file));
    ${code}
    process.stdout.write(JSON.stringify(seen));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    maxBuffer: 50_000_000,
  });
  const seen: string[] = JSON.parse(stdout);
  expect(seen.length).toBeGreaterThan(files.length);
  return [...new Set(seen.flatMap((url) => LIBRARY.exec(url)?.[1] ?? []))];
}

const sources = (folder: string) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `./${folder}/${name}`);

test('no module and no command loads a model library when it is imported', async () => {
  const modules = readdirSync(path.join(root, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'cli')
    .map(({ name }) => `./src/${name}/index.ts`);
  const commands = sources('src/cli').filter((file) => file !== './src/cli/main.ts');
  expect(modules).toContain('./src/models/index.ts');
  expect(commands).toContain('./src/cli/run.ts');
  expect(await loadedBy([...modules, ...commands])).toEqual([]);
});

test('a model loads the library of its kind, and no other', async () => {
  const open = `const { openModel, systemContext } = modules[0];
    const context = systemContext(AbortSignal.abort(), () => []);
    await openModel({ kind: 'openai-compatible', model: 'm', baseUrl: 'http://x.example/v1' }, context);`;
  const loaded = await loadedBy(['./src/models/index.ts'], open);
  expect(loaded).toContain('@ai-sdk/openai-compatible');
  expect(loaded).not.toContain('@ai-sdk/anthropic');
  expect(loaded).not.toContain('ai');
  expect(loaded).not.toContain('@pydantic/genai-prices');
});
