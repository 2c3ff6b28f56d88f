/** What a run of transcripts loads. A model's libraries would double the time until its first step, and nothing in it asks a model. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plainEnvironment, runProcess } from '../repository/run-process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'wm-modules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Loaded before the command: writes the address of every module that the process has loaded. */
const recorder = `
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, JSON.stringify(loaded)));
`;

const FOR_MODELS = /node_modules\/(ai|@ai-sdk|ai-sdk-ollama|@pydantic|gpt-tokenizer)\//;
const FOR_SERVERS = /node_modules\/(hono|@hono|@electric-sql|drizzle-orm|pg|pg-boss|@aws-sdk|jose|cron-parser)\//;
const OTHER_MODULES = /^src\/(graders|net(?!\/address-class\.ts)|store|server|capture|env|test-model)\//;
const OTHER_AGENTS = /^src\/agents\/(single|orchestrator|external)\//;
const OTHER_RUNS = /^src\/runs\/(answers|calibrate|database|further-grading|grading|import-trace|schedules|verify)\//;

test('a run of a transcript loads no library of models, no grader, no database and no other agent', async () => {
  const list = path.join(folder, 'loaded.json');
  const env = plainEnvironment({ LOADED_MODULES: list, WAYMARK_STATE_DIR: path.join(folder, 'state') });
  const { code, err } = await runProcess(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(recorder)}`],
      ...['src/cli/main.ts', 'run', 'fixtures/tasks', '--task', 'example-h1', '--out', path.join(folder, 'run')],
    ],
    { cwd: root, env },
  );
  expect(code, err).toBe(0);
  const loaded = (JSON.parse(readFileSync(list, 'utf8')) as string[]).map((url) => url.replace(`file://${root}/`, ''));
  expect(loaded).toContain('src/agents/scripted.ts');
  for (const unwanted of [FOR_MODELS, FOR_SERVERS, OTHER_MODULES, OTHER_AGENTS, OTHER_RUNS])
    expect(loaded.filter((name) => unwanted.test(name))).toEqual([]);
  // A name such as openai:gpt-5-mini is read without the rest of the module.
  expect(loaded.filter((name) => name.startsWith('src/models/')).sort()).toEqual([
    'src/models/call-failure.ts',
    'src/models/key-access.ts',
    'src/models/named-model.ts',
    'src/models/provider-kinds.ts',
  ]);
});
