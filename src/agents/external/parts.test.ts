import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Budget } from '../../episode/index.ts';
import { AgentWatch } from './agent-watch.ts';
import { checkOptions } from './external-options.ts';
import { fillPlaceholders } from './placeholders.ts';
import { providerTrouble } from './provider-trouble.ts';

test('placeholders are filled in once, whole arguments or parts of them; other braces stay', () => {
  const values = {
    goal: 'Say {taskId}',
    goalFile: 'g',
    mcpUrl: 'u',
    mcpToken: 't',
    mcpConfig: 'c',
    taskId: '1',
    workdir: 'w',
  };
  expect(fillPlaceholders(['{goal}', '--at={mcpUrl}/{mcpToken}', '{"a":{}}', '{unknown}'], values)).toEqual([
    'Say {taskId}',
    '--at=u/t',
    '{"a":{}}',
    '{unknown}',
  ]);
});

test.each([
  ['API Error: 401 {"type":"error"}', 'refused the key'],
  ['[API Error: API key not valid. Please pass a valid API key.]', 'refused the key'],
  ['Attempt 1 failed with status 429. Retrying with backoff...', 'limits the rate of requests'],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'limits the rate of requests'],
  ['unexpected status 500 Internal Server Error', 'answered with a server error'],
  ['{"error":{"code":503,"message":"The model is overloaded."}}', 'answered with a server error'],
  ['TypeError: fetch failed', 'could not be reached'],
  ['connect ECONNREFUSED 127.0.0.1:1', 'could not be reached'],
])('%s: the provider %s', (line, means) => {
  expect(providerTrouble(line)?.means).toBe(means);
});

test.each(['Took 500 ms', 'The price is 429 euros', 'page 401 of 503', 'clicked 3 links', ''])(
  'no trouble with the provider: %s',
  (line) => expect(providerTrouble(line)).toBeUndefined(),
);

describe('an agent that runs', () => {
  const watch = (limit: number) => {
    const at = { now: 0 };
    const budget = {
      time: {
        limit,
        get used() {
          return at.now;
        },
      },
    } as unknown as Budget;
    return { at, watch: new AgentWatch({ budget, clock: () => at.now }) };
  };
  const connected = (lastActivity: number) => ({ isConnected: true, lastActivity });

  test('has a minute to connect, or half of the attempt’s time', () => {
    const long = watch(600_000);
    long.at.now = 59_999;
    expect(long.watch.verdict({ isConnected: false, lastActivity: 0 })).toBeUndefined();
    long.at.now = 60_000;
    expect(long.watch.verdict({ isConnected: false, lastActivity: 0 })?.message).toBe(
      'it did not connect to the browser tools within 60 seconds',
    );
    const short = watch(10_000);
    short.at.now = 5_000;
    expect(short.watch.verdict({ isConnected: false, lastActivity: 0 })?.message).toContain('within 5 seconds');
  });

  test('is given up when its provider has failed for a while without a call in between', () => {
    const { at, watch: watched } = watch(600_000);
    for (at.now = 1_000; at.now < 46_000; at.now += 1_000) {
      watched.onLine('status 500');
      expect(watched.verdict(connected(0))).toBeUndefined();
    }
    watched.onLine('status 500');
    expect(watched.verdict(connected(0))).toMatchObject({
      code: 'server_error',
      message: 'the provider of its model answered with a server error: status 500',
    });
    // A call shows that the model answers again.
    expect(watched.verdict(connected(at.now + 1))).toBeUndefined();
    expect(watched.trouble(connected(0))).toBeUndefined();
  });
});

test('a relative path of the command is meant from the working folder of the harness', () => {
  const file = path.relative(process.cwd(), process.execPath);
  expect(checkOptions({ command: [file, '{goal}'] }, {}).command).toEqual([process.execPath, '{goal}']);
});

describe('options that cannot be used are said before anything starts', () => {
  const env = { PATH: process.env['PATH'], GEMINI_API_KEY: 'k-1234' };
  test.each<[Parameters<typeof checkOptions>[0], string]>([
    [{}, 'The external agent needs a preset or a command.'],
    [{ preset: 'nobody' }, 'There is no preset "nobody".'],
    [{ preset: 'gemini' }, 'The preset gemini needs a model.'],
    [
      { preset: 'gemini', model: 'm', keyEnv: 'NO_KEY' },
      'The external agent needs the environment variable NO_KEY; nothing was run.',
    ],
    [
      { preset: 'gemini', model: 'm', command: ['no-such'] },
      'The command "no-such" of the external agent was not found.',
    ],
    [
      { command: ['node'], model: 'm' },
      '--model is for presets: the command of an external agent names its model itself.',
    ],
  ])('%j', (given, message) => {
    expect(() => checkOptions(given, env)).toThrow(message);
  });
});
