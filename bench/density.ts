/**
 * `npm run bench:density [-- --at-once 1,10,50,100,200] [--rounds 4] [--think-ms 3000] [--limit-mib 4096] [--browser shell|chrome|path] [--json]`:
 * how many agents that think between their steps one machine carries, in Waymark's contexts of shared browsers, and with one browser per
 * agent (playwright-core). Progress on standard error; the figures on standard output.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../fixtures/server.ts';
import { findBrowser } from '../src/chromium/index.ts';
import type { DensityFigures, DensityOptions } from './density-measure.ts';
import { boundsOf, tableOf } from './density-table.ts';

const { values } = parseArgs({
  options: {
    'at-once': { type: 'string', default: '1,10,50,100,200' },
    rounds: { type: 'string', default: '4' },
    'think-ms': { type: 'string', default: '3000' },
    'limit-mib': { type: 'string', default: '4096' },
    browser: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const browser = findBrowser({ wanted: values.browser });
if (!browser) throw new Error('No browser found: see `npm run waymark -- doctor`.');
const densities = values['at-once'].split(',').map(Number);
if (!densities.every((one) => Number.isInteger(one) && one > 0))
  throw new Error('--at-once is a list of numbers, such as 1,10,50.');
const cores = availableParallelism();
const loadBefore = loadavg();
// In this process, so that its work is neither the harness's nor the browsers'.
await using server = await startFixtureServer();
const shared = {
  rounds: Number(values.rounds),
  thinkMs: Number(values['think-ms']),
  limitMiB: Number(values['limit-mib']),
  browser,
  resolverRules: server.resolverRules,
  origin: server.origin,
};
const all: DensityFigures[] = [];
for (const atOnce of densities) all.push(await measure({ ...shared, contestant: 'waymark', atOnce }));
all.push(await measure({ ...shared, contestant: 'playwright', atOnce: Math.max(...densities) }));
const { rounds, thinkMs, limitMiB } = shared;
const machine = { cores, browser: browser.kind, node: process.version, loadBefore, loadAfter: loadavg() };
if (values.json) console.log(JSON.stringify({ machine, rounds, thinkMs, limitMiB, figures: all }, undefined, 2));
else {
  const load = `load average ${loadBefore[0]?.toFixed(1)} before, ${machine.loadAfter[0]?.toFixed(1)} after`;
  console.log(`Agents that think ${thinkMs / 1000} s before each step, on ${browser.kind}, ${cores} cores, ${load}.\n`);
  console.log(`${tableOf(all, thinkMs)}\n`);
  for (const line of boundsOf(all, { thinkMs, cores, limitMiB })) console.log(line);
}

async function measure(options: DensityOptions): Promise<DensityFigures> {
  const { contestant, atOnce } = options;
  process.stderr.write(`${contestant}, ${contestant === 'playwright' ? 'up to ' : ''}${atOnce} at once …\n`);
  const file = path.join(import.meta.dirname, 'density-child.ts');
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = (): boolean => child.kill('SIGTERM');
  process.once('exit', kill);
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  process.off('exit', kill);
  if (code !== 0) throw new Error(`${contestant} with ${atOnce} at once could not be measured.`);
  const figures = JSON.parse(said) as DensityFigures;
  for (const reason of figures.failed.slice(0, 5)) process.stderr.write(`  ${reason}\n`);
  return figures;
}
