import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { temporaryFolder, waymark } from './command-line.ts';
import { filesOf } from './tampering/changed-files.ts';

const RUN = path.resolve(import.meta.dirname, '../old-data/runs/passed-with-pictures');
const MAIN = path.resolve(import.meta.dirname, '../../src/cli/main.ts');

test('waymark export writes every format, and leaves the run as it is', async () => {
  using run = temporaryFolder(RUN);
  using out = temporaryFolder();
  const before = filesOf(run.path);
  const exported = async (format: string, name: string) => {
    const {
      code,
      out: said,
      err,
    } = await waymark(['export', run.path, '--format', format, '--out', name, '--json'], out.path);
    expect({ code, err }, format).toEqual({ code: 0, err: '' });
    expect(JSON.parse(said)).toMatchObject({ format, to: path.join(out.path, name) });
    return path.join(out.path, name);
  };
  expect(readFileSync(await exported('csv', 'a.csv'), 'utf8')).toMatch(/^run_id,task_id,trial,/);
  expect(readFileSync(await exported('markdown', 'a.md'), 'utf8')).toBe(
    readFileSync(path.join(run.path, 'report.md'), 'utf8'),
  );
  expect(readFileSync(await exported('otlp', 'a.jsonl'), 'utf8')).toMatch(/^\{"resourceSpans":\[/);
  const atif = await exported('atif', 'atif');
  const [task = ''] = readdirSync(atif);
  expect(readdirSync(path.join(atif, task, 'trial-1'))).toEqual(['screenshots', 'trajectory.json']);
  const results = await exported('online-mind2web', 'results');
  expect(JSON.parse(readFileSync(path.join(results, task, 'result.json'), 'utf8'))).toMatchObject({ task_id: task });
  expect(existsSync(path.join(results, task, 'trajectory', '0_full_screenshot.jpg'))).toBe(true);
  expect(filesOf(run.path)).toEqual(before);
});

test.each([
  [
    ['--format', 'xml'],
    '"xml" is not a format that runs are exported in: --format csv, atif, online-mind2web, otlp, markdown.',
  ],
  [[], 'Give a format: --format csv, atif, online-mind2web, otlp, markdown.'],
  [
    ['--format', 'csv', '--endpoint', 'http://127.0.0.1:1'],
    '--endpoint, --header and --content belong to --format otlp.',
  ],
  [
    ['--format', 'otlp', '--endpoint', 'http://127.0.0.1:1', '--out', 'x'],
    'Give --endpoint or --out, not both: spans are sent, or written into a file.',
  ],
  [['--format', 'otlp', '--header', 'no value'], '--header takes name=value, but got "no value".'],
])('waymark export %j is refused with a sentence', async (flags, message) => {
  using out = temporaryFolder();
  const { code, err } = await waymark(['export', RUN, ...flags], out.path);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`waymark: ${message}\n`) });
});

test('waymark view serves the report until it is stopped', async () => {
  const child = spawn(process.execPath, [MAIN, 'view', RUN, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const { value: line } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const { url } = JSON.parse(line ?? '') as { url: string };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await (await fetch(url)).text()).toBe(readFileSync(path.join(RUN, 'report.html'), 'utf8'));
  expect((await fetch(new URL('../../../package.json', url))).status).toBe(404);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
