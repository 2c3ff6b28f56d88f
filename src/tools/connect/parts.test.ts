import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnvironment } from './environment.ts';
import { FinalOutput } from './final-output.ts';
import { LineReader } from './line-reader.ts';
import { Loss } from './loss.ts';
import { ProcessFolder, serversFolder, sweepServerFolders } from './process-folder.ts';
import { readResult } from './read-result.ts';
import { describeSpec } from './server-spec.ts';

test('the environment of a server holds no key of ours', () => {
  const ours = { PATH: '/bin', OPENAI_API_KEY: 'secret', HOME: '/home/me', LANG: 'C' };
  expect(cleanEnvironment('/h', '/t', { EXTRA: '1' }, ours)).toEqual({
    PATH: '/bin',
    LANG: 'C',
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
  expect(words.lines(2)).toBe('line 4998\nline 4999');
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
