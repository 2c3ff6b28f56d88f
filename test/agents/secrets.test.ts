/**
 * Keys of models and secrets of tasks: whichever agent runs, none of them stands in a file that a run leaves or in what the command prints.
 * Each run is that of the real command line.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { secretForms } from '../../src/episode/secret-forms.ts';
import { listen } from '../../src/net/index.ts';
import { startTestModel } from '../../src/test-model/index.ts';
import { CommandSandbox, tasks as fixtureTasks, NOTHING_LEFT, type Ran, readReport } from '../episode/command.ts';

/** Both are written differently in an address, in JSON, in HTML and in base64. A key goes into a header, and is ASCII. */
const KEY = 'sk-test/4711+"key"&<unsafe>==';
const VALUE = 'Zoë & "Søn"/4711';
const env = { TEST_KEY: KEY, FORM_NAME: VALUE, OPENCHROME_BENCH_VERBOSE: '1' };

const sandbox = new CommandSandbox();
const file = path.join(sandbox.folder, 'sign-up.task.json');
const write = (name: string, content: unknown): void =>
  writeFileSync(path.join(sandbox.folder, name), JSON.stringify(content));
const target = (selector: string) => ({ target: { selector } });
write('sign-up.task.json', {
  id: 'sign-up',
  title: 'Sign up',
  startUrl: 'http://fixtures.waymark.test/form',
  goal: 'Sign up.',
  secrets: ['FORM_NAME'],
  success: { kind: 'dom_text', selector: 'h1', contains: 'Nobody is thanked like this' },
  oracle: 'sign-up.transcript.json',
});
write('sign-up.transcript.json', {
  format: 'waymark.transcript.v1',
  task: 'sign-up',
  moves: [
    { action: { action: 'type', ...target('#name'), text: '{{secret:FORM_NAME}}' } },
    { action: { action: 'type', ...target('#email'), text: 'ada@example.com' } },
    { action: { action: 'select', ...target('#plan'), options: ['Basic'] } },
    { action: { action: 'click', ...target('#terms') } },
    { action: { action: 'click', ...target('#submit') } },
    { action: { action: 'read' } },
  ],
  answer: 'Signed up.',
});
writeFileSync(
  path.join(sandbox.folder, 'fixture.ts'),
  `export { default } from ${JSON.stringify(path.join(fixtureTasks, 'fixture.ts'))};`,
);
const model = await startTestModel({ tasks: [file], key: KEY });
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  sandbox[Symbol.dispose]();
});

const ofModel = (address = model.baseUrls['openai-compatible']) => [
  ...['--model', 'openai-compatible:test', '--base-url', address, '--key-env', 'TEST_KEY'],
];

function holds(text: string, secret: string): boolean {
  const lower = text.toLowerCase();
  return secretForms(secret).some((form) => lower.includes(form.toLowerCase()));
}

/** Where a secret stands: in files of the sandbox (runs, homes, state; pictures left out), or in what the command printed. */
function leaks({ err, stdout }: Ran, secrets = [KEY, VALUE]): string[] {
  const files = readdirSync(sandbox.folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.jpg'))
    .map((entry) => path.join(entry.parentPath, entry.name));
  expect(files.length).toBeGreaterThan(8);
  const places: [string, string][] = [
    ['stderr', err],
    ['stdout', stdout],
    ...files.map((name): [string, string] => [path.relative(sandbox.folder, name), readFileSync(name, 'utf8')]),
  ];
  return secrets.flatMap((secret) =>
    places.filter(([, text]) => holds(text, secret)).map(([place]) => `${place}: ${secret}`),
  );
}

test.each(['single', 'orchestrator-executor'])('%s', async (agent) => {
  const ran = await sandbox.run([file, '--agent', agent, ...ofModel()], { env });
  // It was there to be leaked: the model typed it, and read it on the page.
  const [episode] = readReport(ran.out).episodes;
  const journal = path.join(ran.out, 'episodes', episode?.taskId ?? '', 'trial-1/events.jsonl');
  expect(episode).toMatchObject({
    outcome: 'failed',
    answer: 'Signed up.',
    finalUrl: expect.stringContaining('/done'),
  });
  expect(readFileSync(journal, 'utf8')).toContain('Thank you, {{secret:FORM_NAME}}');
  expect(leaks(ran)).toEqual([]);
});

test('external: an agent that gives away what it has, on its output, in calls, files and its answer', async () => {
  const command = JSON.stringify([process.execPath, path.join(import.meta.dirname, 'child-telltale.ts')]);
  const flags = ['--agent', 'external', '--command', command, '--pass-env', 'TEST_KEY'];
  const ran = await sandbox.run([file, ...flags], { env });
  const [episode] = readReport(ran.out).episodes;
  expect(episode).toMatchObject({
    outcome: 'failed',
    answer: 'My key is {{secret:TEST_KEY}}, my token is {{secret:WAYMARK_MCP_TOKEN}}.',
    finalUrl: expect.stringContaining('/done'),
  });
  expect(leaks(ran)).toEqual([]);
});

test('an agent in a file that names its key, and gives it away in calls, messages, usage, its answer and its error', async () => {
  const agent = path.join(sandbox.folder, 'mine.agent.mjs');
  writeFileSync(
    agent,
    `export default {
      kind: 'mine',
      keyVariables: ['TEST_KEY'],
      async run(session) {
        const key = process.env.TEST_KEY;
        const type = (selector, value) => session.step({ tool: 'interact', arguments: { action: 'type', selector, value } });
        await type('#name', '{{secret:FORM_NAME}}');
        await type('#email', key);
        session.say({ type: 'assistant', content: 'I typed ' + key });
        session.say({ type: 'usage', model: key, inputTokens: 1, outputTokens: 1 });
        await session.step({ tool: 'javascript_tool', arguments: { code: 'return ' + JSON.stringify(key) } });
        if (session.task.id === 'sign-up-again') throw new Error('refused: ' + key);
        return { answer: 'My key is ' + key + '.' };
      },
    };`,
  );
  const again = path.join(sandbox.folder, 'again.task.json');
  writeFileSync(again, readFileSync(file, 'utf8').replace('"sign-up"', '"sign-up-again"'));
  const ran = await sandbox.run([file, again, '--agent', agent], { env });
  expect(readReport(ran.out).episodes).toMatchObject([
    { outcome: 'failed', answer: 'My key is {{secret:TEST_KEY}}.' },
    { outcome: 'adapter_error', reason: expect.stringContaining('refused: {{secret:TEST_KEY}}') },
  ]);
  expect(leaks(ran)).toEqual([]);
});

test('a key that the provider refuses', async () => {
  const wrong = 'sk-another-key-0123456789';
  const ran = await sandbox.run([file, '--agent', 'single', ...ofModel()], { env: { ...env, TEST_KEY: wrong } });
  expect(readReport(ran.out).episodes).toMatchObject([{ outcome: 'adapter_error' }]);
  expect(leaks(ran, [wrong, VALUE])).toEqual([]);
});

test.each([200, 400])('a provider that repeats the key, with status %s', async (status) => {
  const server = createServer((request, response) => {
    const key = String(request.headers.authorization).replace(/^Bearer /, '');
    const message = { role: 'assistant', content: `You sent ${key}, ${encodeURIComponent(key)}.` };
    const reply = { id: '1', model: `of ${key}`, choices: [{ index: 0, message, finish_reason: 'stop' }] };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? reply : { error: { message: message.content } }));
  });
  const port = await listen(server, '127.0.0.1', 0);
  const flags = ofModel(`http://127.0.0.1:${port}/v1`);
  const ran = await sandbox.run([file, '--agent', 'single', ...flags], { env });
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  const [{ outcome, reason, answer } = {}] = readReport(ran.out).episodes;
  expect(outcome).toBe(status === 200 ? 'failed' : 'adapter_error');
  expect(`${answer} ${reason}`).toContain('{{secret:TEST_KEY}}');
  expect(leaks(ran)).toEqual([]);
});

test('no process and no folder is left', () => {
  expect(sandbox.left()).toEqual(NOTHING_LEFT);
});
