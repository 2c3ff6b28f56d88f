/**
 * `npm run bench:throughput [-- --episodes 24] [--concurrency 4] [--json]`: episodes a minute, all on the same browser in the same run:
 * (a) a plain playwright-core script, (b) @playwright/test with trace and screenshots, (c) Waymark with its own tools and full evidence,
 * (d) Waymark through @playwright/mcp, (floor) a raw CDP loop with the same pictures and no evidence. Then what a recorded episode takes on the
 * disk and to score again, and what a look costs on long pages.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../fixtures/server.ts';
import { findBrowser } from '../src/chromium/index.ts';
import type { ServerChoice } from '../src/tools/index.ts';
import { type BenchRow, median, printTable } from './measure.ts';
import { floorEpisodes } from './throughput-floor.ts';
import { playwrightEpisodes, type RivalOptions } from './throughput-playwright.ts';
import { siblingFigures } from './throughput-siblings.ts';
import { storedFigures } from './throughput-stored.ts';
import { waymarkEpisodes } from './throughput-waymark.ts';

const { values } = parseArgs({
  options: {
    episodes: { type: 'string', default: '24' },
    concurrency: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    browser: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const ALONE_EPISODES = 5;
const browser = findBrowser({ wanted: values.browser });
if (!browser) throw new Error('No browser found: see `npm run waymark -- doctor`.');
await using server = await startFixtureServer();
const options: RivalOptions = {
  executablePath: browser.path,
  resolverRules: server.resolverRules,
  origin: server.origin,
  episodes: Number(values.episodes),
  concurrency: Number(values.concurrency),
};
const fast: ServerChoice = { server: 'playwright', args: ['--timeout-settle', '0', '--snapshot-mode', 'none'] };
const contestants: Record<string, () => Promise<number>> = {
  floor: () => floorEpisodes(options, browser),
  a: () => playwrightEpisodes(options),
  b: async () => playwrightTest(options),
  c: async () => keep(await waymarkEpisodes(options, browser, 'embedded')),
  d: async () => (await waymarkEpisodes(options, browser, 'playwright')).ms,
  'd, settle 0': async () => (await waymarkEpisodes(options, browser, fast)).ms,
};
const overheads: number[] = [];
/** One at a time: what a step waits for by itself, and not for its turn on a core. */
const alone: number[] = [];
const rates: Record<string, number[]> = {};
for (let round = 0; round < Number(values.rounds); round++) {
  // In turns: whatever else the machine does, it does to all of them.
  for (const [name, run] of Object.entries(contestants)) {
    process.stderr.write(`round ${round + 1}: (${name}) …\n`);
    const ms = await run();
    rates[name] = [...(rates[name] ?? []), (options.episodes / ms) * 60_000];
  }
  const one = await waymarkEpisodes({ ...options, concurrency: 1, episodes: ALONE_EPISODES }, browser, 'embedded');
  alone.push(...one.overheads);
}
process.stderr.write('what is left behind, and long pages …\n');
const stored: BenchRow[] = [];
await waymarkEpisodes({ ...options, concurrency: 1, episodes: 1 }, browser, 'embedded', async (root, plan) => {
  stored.push(...(await storedFigures(root, plan)));
});
const rate = (name: string): number => median(rates[name] ?? []);
const rows: BenchRow[] = [
  { name: '(floor) raw CDP loop, the same pictures, no evidence', value: rate('floor'), unit: 'ep/min' },
  { name: '(a) playwright-core script, screenshot each step', value: rate('a'), unit: 'ep/min' },
  { name: '(b) @playwright/test, trace and screenshots', value: rate('b'), unit: 'ep/min' },
  { name: '(c) Waymark, embedded tools, full evidence', value: rate('c'), unit: 'ep/min' },
  { name: '(d) Waymark through @playwright/mcp as published', value: rate('d'), unit: 'ep/min' },
  { name: '(d) the same, --timeout-settle 0 --snapshot-mode none', value: rate('d, settle 0'), unit: 'ep/min' },
  { name: 'c / floor (goal at least 0.9)', value: rate('c') / rate('floor'), unit: '×' },
  { name: 'c / a (goal at least 2)', value: rate('c') / rate('a'), unit: '×' },
  { name: 'c / b (goal at least 5)', value: rate('c') / rate('b'), unit: '×' },
  { name: 'd / b (goal at least 1)', value: rate('d') / rate('b'), unit: '×' },
  { name: 'd, settle 0 / b', value: rate('d, settle 0') / rate('b'), unit: '×' },
  { name: 'blocking overhead a step, from the answer to the reward', value: median(overheads), unit: 'ms', goal: 4 },
  { name: 'the same, one episode at a time', value: median(alone), unit: 'ms', goal: 2 },
  ...stored,
  ...(await siblingFigures(browser)),
];
if (values.json) console.log(JSON.stringify({ browser: browser.kind, options, rates, rows }, undefined, 2));
else
  printTable(
    `${options.episodes} episodes, ${options.concurrency} at a time, on ${browser.kind}; medians of ${values.rounds} rounds`,
    rows,
  );

function keep(run: { ms: number; overheads: number[] }): number {
  overheads.push(...run.overheads);
  return run.ms;
}

async function playwrightTest({
  executablePath,
  resolverRules,
  origin,
  episodes,
  concurrency,
}: RivalOptions): Promise<number> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-throughput-'));
  const report = path.join(folder, 'report.json');
  const cli = path.join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
  const config = path.join(import.meta.dirname, 'playwright-test/playwright.config.ts');
  // Not spawnSync: the fixture server lives in this process.
  const run = spawn(process.execPath, [cli, 'test', '--config', config], {
    stdio: 'ignore',
    env: {
      ...process.env,
      EPISODES: String(episodes),
      WORKERS: String(concurrency),
      BROWSER: executablePath,
      RULES: resolverRules,
      ORIGIN: origin,
      REPORT: report,
      OUTPUT: path.join(folder, 'results'),
    },
  });
  await once(run, 'exit');
  try {
    const { stats } = JSON.parse(readFileSync(report, 'utf8')) as { stats: { duration: number; expected: number } };
    if (stats.expected !== episodes) throw new Error(`@playwright/test passed only ${stats.expected} of ${episodes}`);
    // Its own figure: from the first test's start to the last one's end, without the start of the runner.
    return stats.duration;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
