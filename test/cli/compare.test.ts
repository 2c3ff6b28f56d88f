/** Two real runs of the same tasks that part at a known step, compared as a page in a real browser. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ToolCall } from '../../src/episode/index.ts';
import { evaluate, type Lab, openLab, show } from '../support/lab.ts';
import { type Folder, temporaryFolder, waymark } from './command-line.ts';
import { recordRun } from './record-run.ts';

const click = (selector: string): ToolCall => ({ tool: 'interact', arguments: { action: 'click', selector } });
const playOf = (calls: readonly ToolCall[]) => [
  {
    task: {
      id: 'guard',
      title: 'Guard the page',
      startUrl: 'http://fixtures.waymark.test/dialogs',
      goal: 'Guard the page.',
      success: { kind: 'dom_text', selector: '#result', contains: 'The page is guarded.' },
      tags: ['dialog'],
    },
    calls,
  },
];

let folder: Folder;
let lab: Lab;
beforeAll(async () => {
  folder = temporaryFolder();
  const read: ToolCall = { tool: 'read_page', arguments: {} };
  await recordRun(path.join(folder.path, 'a'), playOf([read, click('#guard')]));
  await recordRun(path.join(folder.path, 'b'), playOf([read, click('#nothing-of-the-kind')]));
  lab = await openLab({ slots: 1 });
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  folder?.[Symbol.dispose]();
});

test('a comparison names the step at which two real trajectories part, and the page shows both screenshots', async () => {
  const { code, out, err } = await waymark(['compare', 'a', 'b', '--html', 'c.html', '--json'], folder.path);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [comparison] = JSON.parse(out).comparisons;
  expect(comparison).toMatchObject({
    overall: { verdict: 'not_enough_evidence', pairs: 1 },
    outcomes: [
      { outcome: 'passed', a: 1, b: 0 },
      { outcome: 'failed', a: 0, b: 1 },
    ],
    tags: [{ name: 'dialog' }],
    divergences: [
      {
        caseId: 'guard',
        divergence: { kind: 'action', step: 2, a: { step: { isError: false } }, b: { step: { isError: true } } },
      },
    ],
    // The same version of everything: the claim fails by the number of samples alone.
    claim: {
      label: 'diagnostic',
      reasons: [expect.stringContaining('1 samples'), expect.stringContaining('1 samples')],
    },
  });
  const slot = await lab.slot();
  await show(slot, pathToFileURL(path.join(folder.path, 'c.html')).href);
  expect(slot.witness.console.entries.map(({ text }) => text)).toEqual([]);
  const widths = `Promise.all([...document.querySelectorAll('.parted img')].map(async (image) => { image.loading = 'eager'; await image.decode(); return image.naturalWidth > 100; }))`;
  expect(await evaluate(slot, widths)).toEqual([true, true]);
  const asked = slot.witness.network.entries.filter(({ url }) => !url.startsWith('data:'));
  expect(asked.map(({ url }) => path.basename(url))).toEqual(['c.html']);
});

test('report.md and report.json of a real run have its statistics, and times only where they belong', async () => {
  const { out } = await waymark(['report', path.join(folder.path, 'a'), '--json']);
  const { statistics } = JSON.parse(out).summary;
  expect(statistics).toMatchObject({ cases: 1, trials: 1, steps: { p50: 2, known: 1 }, flaky: [] });
  expect(statistics).not.toHaveProperty('durationMs');
  expect(statistics).not.toHaveProperty('passedFirst');
});
