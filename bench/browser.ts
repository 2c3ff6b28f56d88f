/**
 * `npm run bench:browser [-- --only guard]`: what owning and watching the browser costs, against the bare browser in the same run.
 * Figures are medians in milliseconds; ratios are of things measured in turns.
 */
import { parseArgs } from 'node:util';
import { type BrowserKind, type FoundBrowser, findBrowser } from '../src/chromium/index.ts';
import { benchGate } from './browser-gate.ts';
import { benchGuard } from './browser-guard.ts';
import { benchSlots } from './browser-slots.ts';
import { benchWitness } from './browser-witness.ts';
import { type BenchRow, printTable } from './measure.ts';

const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);

const kinds: BrowserKind[] = ['shell', 'chrome'];
const browsers = values.browser
  ? [findBrowser({ wanted: values.browser })]
  : kinds.map((wanted) => findBrowser({ wanted, env: { PATH: process.env['PATH'] } }));
const results: Record<string, BenchRow[]> = {};
for (const browser of browsers.filter((found): found is FoundBrowser => found !== undefined)) {
  const sections: [string, () => Promise<BenchRow[]>][] = [
    ['a fresh slot', () => benchSlots(browser, Math.min(rounds, 30))],
    ['the witness, a step', () => benchWitness(browser, rounds)],
    ['the gate', () => benchGate(browser, rounds)],
    ['the guard of side effects, a request', () => benchGuard(browser, rounds)],
  ];
  for (const [title, run] of sections.filter(([name]) => name.includes(values.only ?? ''))) {
    process.stderr.write(`measuring ${title} on ${browser.kind} …\n`);
    const rows = await run();
    results[`${browser.kind}: ${title}`] = rows;
    if (!values.json) printTable(`${browser.kind}: ${title}`, rows);
  }
}
if (values.json) console.log(JSON.stringify(results, undefined, 2));
