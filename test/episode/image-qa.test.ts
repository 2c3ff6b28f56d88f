/** `image_qa`: a model is asked about the page's picture, in a real browser. The model behind the test server knows pictures by their bytes. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TaskInput } from '../../src/cases/index.ts';
import { rescoreEvents } from '../../src/events/index.ts';
import { type CallLimits, type OpenedModel, openModel, systemContext } from '../../src/models/index.ts';
import { readRunFile } from '../../src/runs/index.ts';
import { temporaryFolder, waymark } from '../cli/command-line.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { click, moves, type PlayOptions, play, read, task } from '../support/stage.ts';

let lab: Lab;
let server: ModelServer;
beforeAll(async () => {
  [lab, server] = await Promise.all([openLab({ slots: 1 }), startModelServer()]);
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});
beforeEach(() => server.reset());

const START = '/recovery/progress-positive';
const question = 'Has the page moved on? Answer yes or no.';
const success: TaskInput['success'] = { kind: 'image_qa', question, expected_pattern: '^yes$' };
const advance = click('#advance');

const pictures = (): string[] => server.calls.flatMap(({ messages }) => messages.flatMap(({ images }) => images));

/** Says yes to every picture but the first that it was shown. */
function watchful(): void {
  server.answer('watchful', ({ messages }) => ({
    text: messages.some(({ images }) => images.includes(pictures()[0] ?? '')) ? 'no' : 'yes',
    tokens: { input: 900, output: 1 },
  }));
}

function open(model: string, limits: Partial<CallLimits> = {}): Promise<OpenedModel> {
  const context = systemContext(new AbortController().signal, () => [{ address: '127.0.0.1', family: 4 }], limits);
  return openModel({ kind: 'openai-compatible', model, baseUrl: server.baseUrl }, context);
}

const run = (list: Parameters<typeof moves>, imageModel: OpenedModel, options: PlayOptions = {}) =>
  play(lab, task(lab, START, { success }), moves(...list), { screenshots: false, imageModel, ...options });

test('the answer decides; one call per distinct picture, none of it charged to the agent, and none needed to score again', async () => {
  watchful();
  // One token would be too much, if it were the agent's.
  const { result, of, events } = await run([read, advance, read], await open('watchful'), {
    maxTokens: 1,
    untilDone: true,
  });
  expect(result).toMatchObject({ status: 'passed', outcome: 'passed' });
  expect(of('contract_eval').map(({ verdict }) => verdict)).toEqual(['fail', 'fail', 'pass', 'pass', 'pass']);
  expect(server.calls.map(({ prompt }) => prompt)).toEqual([question, question]);
  expect(new Set(pictures()).size).toBe(2);
  expect(of('usage')).toMatchObject([
    { model: 'watchful-2026-01-01', role: 'grader', inputTokens: 900, outputTokens: 1 },
    { model: 'watchful-2026-01-01', role: 'grader' },
  ]);
  expect(rescoreEvents(events)).toMatchObject({ verdicts: 5, differences: [] });
  expect(server.count()).toBe(2);
});

test('an answer that does not fit is a failure of the agent', async () => {
  server.script('never', [{ text: 'no' }]);
  const { result, events } = await run([advance], await open('never'));
  expect(result).toMatchObject({ status: 'failed', outcome: 'failed', finalVerdict: 'fail' });
  expect(rescoreEvents(events).differences).toEqual([]);
});

describe('a model that gives no answer', () => {
  test('makes the contract inconclusive, and the outcome is the grader’s', async () => {
    const { stop, result, of, events } = await run([advance], await open('always-500', { attempts: 1 }));
    expect(of('contract_eval').map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(stop).toEqual({
      status: 'failed',
      claimed: 'done',
      cause: 'grader',
      reason: expect.stringMatching(
        /^The agent is done, and the contract is inconclusive. The model could not be asked: /,
      ),
    });
    expect(result).toMatchObject({ outcome: 'grader_error', finalVerdict: 'inconclusive' });
    expect(of('evidence').at(-1)?.facts?.unavailable).toEqual({
      answers: expect.stringContaining('The model could not be asked: '),
    });
    expect(of('usage')).toEqual([]);
    expect(rescoreEvents(events).differences).toEqual([]);
  });

  test('is asked again at the next look', async () => {
    server.script('late', [{ status: 500 }, { text: 'yes' }]);
    const { result } = await run([advance], await open('late', { attempts: 1 }));
    expect(result).toMatchObject({ status: 'passed', finalVerdict: 'pass' });
  });

  test('costs the agent no time', async () => {
    const limited = task(lab, START, { success, maxDurationMs: 4_000 });
    const imageModel = await open('hang', { attempts: 1, timeoutMs: 1_500 });
    const { result } = await play(lab, limited, moves(read, read), { screenshots: false, imageModel });
    // Three looks before the end, of a second and a half each.
    expect(result.durationMs).toBeGreaterThan(4_500);
    expect(result).toMatchObject({ status: 'failed', outcome: 'grader_error' });
  });
});

describe('waymark run --image-model', () => {
  function taskFolder() {
    const folder = temporaryFolder();
    const spec = task(lab, `${lab.secureOrigin}${START}`, { id: 'moved-on', success, oracle: 'moved-on.oracle.json' });
    const oracle = { format: 'waymark.transcript.v1', task: 'moved-on', moves: [{ action: CLICK }] };
    writeFileSync(path.join(folder.path, 'moved-on.task.json'), JSON.stringify(spec));
    writeFileSync(path.join(folder.path, 'moved-on.oracle.json'), JSON.stringify(oracle));
    return folder;
  }
  const CLICK = { action: 'click', target: { selector: '#advance' } };
  const local = (model: string): string =>
    JSON.stringify({ kind: 'openai-compatible', model, baseUrl: server.baseUrl });

  test('asks the model, is part of the run, and is not needed to verify it', async () => {
    watchful();
    using folder = taskFolder();
    const out = path.join(folder.path, 'run');
    const ran = await waymark(['run', folder.path, '--out', out, '--image-model', local('watchful')]);
    expect(ran, ran.err).toMatchObject({ code: 0 });
    const { plan } = readRunFile(out);
    expect(plan.variant).toMatchObject({ imageModel: 'openai-compatible:watchful' });
    expect(plan.inputs.of).toMatchObject({ 'image-model': 'openai-compatible:watchful' });
    const calls = server.count();
    expect(await waymark(['verify', out])).toMatchObject({ code: 0 });
    const other = await waymark(['run', folder.path, '--out', out, '--resume', '--image-model', local('echo')]);
    expect(other).toMatchObject({ code: 2 });
    expect(other.err).toContain('image-model was openai-compatible:watchful, and is openai-compatible:echo now.');
    expect(server.count()).toBe(calls);
  });

  test.each([
    [
      'no model',
      [],
      /moved-on\.task\.json asks a model about a screenshot \(image_qa\), and no model was given\.\nName one with --image-model <kind:id>/,
    ],
    [
      'no key',
      ['--image-model', 'openai:gpt-5-mini'],
      /The model openai:gpt-5-mini can't be used: The environment variable OPENAI_API_KEY is not set\./,
    ],
    ['no address', ['--image-model', 'openai-compatible:m'], /needs a base URL/],
    ['no such kind', ['--image-model', 'chatty:m'], /"chatty:m" does not name a kind of model\./],
    [
      'no JSON of a model',
      ['--image-model', '{"kind":1}'],
      /--image-model is neither <kind:id> nor the JSON of a model\./,
    ],
    ['no id', ['--image-model', 'openai'], /"openai" names no model\./],
  ])('refuses before anything starts: %s', async (_name, flags, message) => {
    vi.stubEnv('OPENAI_API_KEY', '');
    using folder = taskFolder();
    const out = path.join(folder.path, 'run');
    const ran = await waymark(['run', folder.path, '--out', out, ...flags]);
    vi.unstubAllEnvs();
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.err).toMatch(message);
    expect(() => readRunFile(out)).toThrow('it is not there');
  });

  test('lint says that a model is needed', async () => {
    using folder = taskFolder();
    const { code, out } = await waymark(['lint', folder.path]);
    expect(code).toBe(0);
    expect(out).toContain('`waymark run` needs --image-model for it. (needs_model)');
  });
});
