/**
 * `npm run bench:live [-- --attempts 10000 --rounds 3]`: the dashboard of the web app. First a run folder of many attempts: how long the server
 * and a real browser take to open it, filter it, scroll it and open an attempt. Then a real run: alone, and while viewers hold its event
 * stream open and never read it, in turns on the same machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium, type Locator, type Page } from 'playwright-core';
import { cachedWeb } from '../scripts/build-web.ts';
import { findBrowser } from '../src/chromium/index.ts';
import { readRunFile } from '../src/runs/index.ts';
import { makeRun } from './make-run.ts';
import { type BenchRow, inTurns, median, peakMiB, printTable, timed } from './measure.ts';

const { values } = parseArgs({
  options: { attempts: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '3' } },
});
const attempts = Number(values.attempts);
const rounds = Number(values.rounds);
/** That never read. */
const VIEWERS = 20;
const OPEN_MS = 5_000;
const ACT_MS = 500;

const main = path.resolve(import.meta.dirname, '../src/cli/main.ts');
const suite = path.resolve(import.meta.dirname, '../suites/web-ten');
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-bench-live-'));
const runs = path.join(folder, 'runs');
try {
  await makeRun(path.join(runs, 'many'), attempts);
  await using server = await serve();
  const page = await pageFigures(server);
  printTable(`A run of ${attempts.toLocaleString('en')} attempts in the web app`, page);
  const viewers = await viewerFigures(server);
  printTable(`A run of web-ten with ${VIEWERS} viewers that never read`, viewers);
  const missed = [...page, ...viewers].filter(({ value, goal }) => goal !== undefined && value > goal);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface Served extends AsyncDisposable {
  url: string;
  pid: number | undefined;
}

async function serve(): Promise<Served> {
  const args = [main, 'serve', '--runs', runs, '--data', path.join(folder, 'data'), '--port', '0', '--json'];
  const env = { ...process.env, WAYMARK_WEB_FOLDER: await cachedWeb() };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url } = JSON.parse(String(line)) as { url: string };
  return {
    url,
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function pageFigures({ url, pid }: Served): Promise<BenchRow[]> {
  const { runId } = readRunFile(path.join(runs, 'many')).plan;
  const address = `${url}run-folders/${runId}`;
  let bytes = 0;
  const read = async (): Promise<void> => {
    bytes = (await (await fetch(address)).arrayBuffer()).byteLength;
  };
  const first = await timed(read);
  const again: number[] = [];
  for (let round = 0; round < rounds; round++) again.push(await timed(read));
  const browser = await chromium.launch({
    executablePath: findBrowser()?.path ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const times = { open: [] as number[], filter: [] as number[], scroll: [] as number[], attempt: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      times.open.push(await timed(() => opened(page, `${url}app/folders/${runId}`)));
      times.scroll.push(await timed(() => scrolled(page)));
      times.filter.push(await timed(() => filtered(page)));
      times.attempt.push(await timed(() => attemptOpened(page)));
      await page.close();
    }
    return [
      { name: 'the server reads all journals, once', value: first, unit: 'ms', note: `${attempts} attempts` },
      { name: 'the server answers again', value: median(again), unit: 'ms', note: `${(bytes / 1e6).toFixed(1)} MB` },
      { name: 'memory of the server, at most', value: peakMiB(pid), unit: 'MiB' },
      { name: 'open the page, until the first row', value: median(times.open), unit: 'ms', goal: OPEN_MS },
      { name: 'scroll from the first row to the last', value: median(times.scroll), unit: 'ms', goal: ACT_MS },
      { name: 'filter by a text', value: median(times.filter), unit: 'ms', goal: ACT_MS },
      { name: 'open an attempt', value: median(times.attempt), unit: 'ms', goal: OPEN_MS },
    ];
  } finally {
    await browser.close();
  }
}

/** In the list: the feed names attempts too. */
function listed(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'List of attempts' }).getByRole('link', { name, exact: true });
}

async function opened(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await listed(page, 'case-1').waitFor();
}

async function scrolled(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'List of attempts' }).evaluate((box) => {
    box.scrollTop = box.scrollHeight;
  });
  await listed(page, `case-${attempts}`).waitFor();
}

async function filtered(page: Page): Promise<void> {
  await page.getByLabel('Case').fill(`case-${attempts}`);
  await page.getByText(`1 of ${attempts}`, { exact: true }).waitFor();
}

async function attemptOpened(page: Page): Promise<void> {
  await listed(page, `case-${attempts}`).click();
  await page.getByRole('heading', { level: 1, name: `case-${attempts}` }).waitFor();
}

async function viewerFigures(server: Served): Promise<BenchRow[]> {
  let number = 0;
  const run = async (viewers: number): Promise<void> => {
    const root = path.join(runs, `real-${++number}`);
    const args = [main, 'run', suite, '--concurrency', '2', '--out', root, '--json'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder });
    const ended = once(child, 'exit');
    while (!existsSync(path.join(root, 'run.json'))) await delay(20);
    const { runId } = readRunFile(root).plan;
    const stuck = Array.from({ length: viewers }, () => neverReading(server.url, `/run-folders/${runId}/events`));
    const [code] = await ended;
    for (const socket of stuck) socket.destroy();
    if (code !== 0) throw new Error(`The run ended with ${code}.`);
  };
  await run(0);
  const times = await inTurns(rounds, { alone: () => run(0), watched: () => run(VIEWERS) });
  const [alone, watched] = [median(times.alone), median(times.watched)];
  return [
    { name: 'alone', value: alone / 1_000, unit: 's' },
    { name: 'with viewers', value: watched / 1_000, unit: 's' },
    { name: 'ratio', value: watched / alone, unit: '×', goal: 1.1, note: `medians of ${rounds} rounds in turns` },
  ];
}

/** Asks for a stream, and leaves what comes in the system's buffers. */
function neverReading(url: string, pathname: string): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}
