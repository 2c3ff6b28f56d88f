import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment } from './environment.ts';
import { FinalOutput } from './final-output.ts';
import { LineReader } from './line-reader.ts';
import { Loss } from './loss.ts';
import { ProcessFolder, serversFolder, sweepServerFolders } from './process-folder.ts';
import { BAD_ANSWER, readMessage } from './read-message.ts';
import { readResult } from './read-result.ts';
import { describeSpec } from './server-spec.ts';
import { StartWait } from './start-wait.ts';

test('the environment of a server has the way to the network and to npm, and no key of ours', () => {
  const ours = {
    PATH: '/bin',
    OPENAI_API_KEY: 'secret',
    HOME: '/home/me',
    LANG: 'C',
    https_proxy: 'http://proxy.test:3128',
    HTTP_PROXY: 'http://me:password@proxy.test:3128',
    NODE_EXTRA_CA_CERTS: '/etc/own.pem',
    npm_config_registry: 'https://packages.test/',
    'npm_config_@mine:registry': 'https://me:token@packages.test/',
    'npm_config_//packages.test/:_authToken': 'secret',
    npm_config__auth: 'secret',
    npm_config_local_prefix: '/home/me/project',
    NPM_TOKEN: 'secret',
  };
  expect(cleanEnvironment('/h', '/t', { EXTRA: '1' }, ours)).toEqual({
    PATH: '/bin',
    LANG: 'C',
    https_proxy: 'http://proxy.test:3128',
    NODE_EXTRA_CA_CERTS: '/etc/own.pem',
    npm_config_registry: 'https://packages.test/',
    npm_config_cache: '/home/me/.npm',
    HOME: '/h',
    XDG_CONFIG_HOME: '/h/.config',
    XDG_CACHE_HOME: '/h/.cache',
    TMPDIR: '/t',
    EXTRA: '1',
  });
});

test('lines are put together from pieces, letters of several bytes too, and a line without end is refused', () => {
  const lines: string[] = [];
  const reader = new LineReader(100, (line) => lines.push(line));
  for (const byte of Buffer.from('one\n\ntwö ✓\nthr')) reader.add(Buffer.from([byte]));
  expect(lines).toEqual(['one', 'twö ✓']);
  expect(reader.add(Buffer.from('ee\nfour\n'))).toBe(true);
  expect(lines).toEqual(['one', 'twö ✓', 'three', 'four']);
  expect(reader.add(Buffer.alloc(101, 'x'))).toBe(false);
});

test('last words are the last ones', () => {
  const words = new FinalOutput();
  for (let i = 0; i < 5_000; i++) words.add(`line ${i}\n`);
  expect(words.text.length).toBeLessThanOrEqual(8_000);
  expect(words.summary(2)).toBe('line 4998\nline 4999');
});

test('of an error with a long stack, the line that names it is kept', () => {
  const words = new FinalOutput();
  const stack = Array.from({ length: 9 }, (_, i) => `    at step${i} (server.js:${i}:1)\n`).join('');
  words.add(
    `starting\nserver.js:5\n  throw new TypeError('x')\n  ^\n\nTypeError [ERR_X]: no such option\n${stack}\nNode.js v24\n`,
  );
  expect(words.summary(4)).toBe(
    'TypeError [ERR_X]: no such option\n…\n    at step7 (server.js:7:1)\n    at step8 (server.js:8:1)\n\nNode.js v24',
  );
});

test('an answer without a result or an error is an error under its id; text is no message', () => {
  const bad = {
    jsonrpc: '2.0',
    id: 7,
    error: { code: BAD_ANSWER, message: 'the answer has neither a result nor an error' },
  };
  for (const line of [
    '{"jsonrpc":"2.0","id":7,"result":null}',
    '{"jsonrpc":"2.0","id":7}',
    '{"jsonrpc":"2.0","id":7,"result":"x"}',
  ])
    expect(readMessage(line), line).toEqual(bad);
  expect(readMessage('{"jsonrpc":"2.0","id":7,"result":{}}')).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  for (const line of ['Listening on 8080', '{"level":"info"}', 'null', '{"jsonrpc":"2.0","method":5,"id":1}'])
    expect(readMessage(line), line).toBeUndefined();
});

test('a slow start says what it waits for', () => {
  const said = ['', 'npm warn exec The following package was not found'];
  const sentences: string[] = [];
  for (const text of said) {
    const wait = new StartWait('the tool server "npx x"', () => text, undefined);
    sentences.push(wait.sentence(5_000));
    wait.for('its answer to "initialize"');
    sentences.push(wait.whyItFailed(30_000));
  }
  expect(sentences).toEqual([
    'The tool server "npx x" has not started after 5 s: waiting for it to start. It has said nothing so far.',
    'it did not answer within 30000 ms: the harness waited for its answer to "initialize", and it said nothing',
    'The tool server "npx x" has not started after 5 s: waiting for it to start. Its last line is: npm warn exec The following package was not found',
    'it did not answer within 30000 ms: the harness waited for its answer to "initialize"',
  ]);
});

test('a loss is reported once to each listener, including later ones', () => {
  const loss = new Loss();
  const heard: string[] = [];
  loss.listen((reason) => heard.push(`first ${reason}`));
  loss.listen((reason) => heard.push(`gone ${reason}`))();
  loss.happened('a');
  loss.happened('b');
  loss.listen((reason) => heard.push(`late ${reason}`));
  expect(heard).toEqual(['first a', 'late a']);
});

test('a result is its texts, images and types, cut to size', () => {
  const big = 'y'.repeat(1_500_000);
  const result = readResult(
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'a:b', text: 'two' } },
        { type: 'text', text: big },
      ],
      structuredContent: { kind: 'x' },
    },
    5,
  );
  expect(result).toMatchObject({
    isError: false,
    blocks: ['text', 'image', 'resource', 'text'],
    images: [{ mimeType: 'image/png', data: 'AAAA' }],
    structured: { kind: 'x' },
    durationMs: 5,
  });
  expect(result.texts.slice(0, 2)).toEqual(['one', 'two']);
  expect(result.text.length).toBeLessThan(1_000_100);
});

test('folders of harnesses that are gone are swept; ours and what is not a folder of ours stay', () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'waymark-folders-'));
  try {
    const folder = new ProcessFolder(parent);
    // No process has this number: Linux ends below it.
    mkdirSync(path.join(parent, '4999999-0123456789abcdef', 'home'), { recursive: true });
    mkdirSync(path.join(parent, 'something-else'));
    expect(sweepServerFolders(parent)).toEqual(['4999999-0123456789abcdef']);
    expect(readdirSync(parent)).toHaveLength(2);
    folder.remove();
    expect(readdirSync(parent)).toEqual(['something-else']);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});

test.skipIf(process.platform === 'win32')(
  'the path of a server’s temporary folder is short enough for a socket, however deep the state folder is',
  () => {
    const state = mkdtempSync(path.join(tmpdir(), 'waymark-state-'));
    const deep = path.join(state, 'x'.repeat(60), 'y'.repeat(60));
    expect(serversFolder('/tmp/waymark-0')).toBe('/tmp/waymark-0/servers');
    const folder = new ProcessFolder(serversFolder(deep));
    try {
      expect(Buffer.byteLength(folder.temporary)).toBeLessThanOrEqual(60);
      expect(statSync(path.dirname(path.dirname(folder.temporary))).mode & 0o077).toBe(0);
    } finally {
      folder.remove();
      rmSync(state, { recursive: true });
    }
  },
);

test('a sentence names a server without its arguments, which may hold keys', () => {
  expect(describeSpec({ kind: 'stdio', command: 'node', args: ['--flag', '/opt/x/server.js', '--key=secret'] })).toBe(
    'the tool server "node server.js"',
  );
  expect(describeSpec({ kind: 'http', url: 'https://user:pass@a.test/mcp?token=1' })).toBe(
    'the tool server at https://a.test',
  );
});
