import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Slot } from '../../src/chromium/index.ts';
import { evaluate, type Lab, openLab, show } from '../support/lab.ts';
import { type Folder, temporaryFolder } from './command-line.ts';
import { recordRun } from './record-run.ts';

let lab: Lab;
let run: Folder;
let slot: Slot;
beforeAll(async () => {
  run = temporaryFolder();
  await recordRun(run.path);
  lab = await openLab({ slots: 1 });
  slot = await lab.slot();
});
afterAll(async () => {
  await lab?.[Symbol.asyncDispose]();
  run?.[Symbol.dispose]();
});

async function open(hash = ''): Promise<void> {
  // From another page, because a change of the fragment alone loads nothing.
  await show(slot, 'about:blank');
  await show(slot, `${pathToFileURL(path.join(run.path, 'report.html')).href}${hash}`);
}
const page = <T>(expression: string): Promise<T> => evaluate<T>(slot, expression);

test('opens without console messages and requests nothing else', async () => {
  await open();
  expect(slot.witness.console.entries.map(({ text }) => text)).toEqual([]);
  const asked = slot.witness.network.entries.filter(({ url }) => !url.startsWith('data:'));
  expect(asked.map(({ url }) => path.basename(url))).toEqual(['report.html']);
});

test('shows one row per episode, each picture once, and a drawing with a text alternative', async () => {
  await open();
  expect(
    await page<string[]>(
      `[...document.querySelectorAll('.episodes tbody tr')].map((row) => row.innerText.replace(/\\s+/g, ' ').slice(0, 22))`,
    ),
  ).toEqual(['send-form passed passe', 'confirm-dialog failed ']);
  expect(
    await page<boolean>(
      `(() => { const all = [...document.querySelectorAll('#e1 img')].map(({ src }) => src); return all.length > 2 && new Set(all).size === all.length; })()`,
    ),
  ).toBe(true);
  expect(await page<string>(`document.querySelector('.episodes svg').getAttribute('aria-label')`)).toMatch(
    /^Reward of each step: 0, \+0\.3, −0\.3, /,
  );
});

test('a link to an episode opens it, also without scripts', async () => {
  await slot.firstPage.session.send('Emulation.setScriptExecutionDisabled', { value: true });
  await open('#e2');
  await slot.firstPage.session.send('Emulation.setScriptExecutionDisabled', { value: false });
  expect(await page<boolean[]>(`[...document.querySelectorAll('details.episode')].map(({ open }) => open)`)).toEqual([
    false,
    true,
  ]);
});

test('the script opens and closes all episodes, and keys move between episodes', async () => {
  await open();
  const states = (): Promise<boolean[]> =>
    page(`[...document.querySelectorAll('details.episode')].map(({ open }) => open)`);
  await page(`document.querySelector('[data-all=open]').click()`);
  expect(await states()).toEqual([true, true]);
  await page(`document.querySelector('[data-all=close]').click()`);
  expect(await states()).toEqual([false, false]);
  await page(`['j', 'j'].forEach((key) => dispatchEvent(new KeyboardEvent('keydown', { key })))`);
  expect(await page<string>(`document.activeElement.querySelector('h2').textContent`)).toBe('confirm-dialog');
});

test('passed episodes can be hidden without a script', async () => {
  await open();
  await page(`document.querySelector('#only').click()`);
  expect(
    await page<string[]>(
      `[...document.querySelectorAll('.episodes tbody tr')].filter((row) => row.offsetParent).map((row) => row.querySelector('a').textContent)`,
    ),
  ).toEqual(['confirm-dialog']);
});

test.each([320, 768, 1600])('nothing is wider than a window of %i pixels', async (width) => {
  const { session } = slot.firstPage;
  await session.send('Emulation.setDeviceMetricsOverride', { width, height: 800, deviceScaleFactor: 1, mobile: false });
  await open();
  await page(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
  expect(await page<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await session.send('Emulation.clearDeviceMetricsOverride');
});

test.each(['light', 'dark'])('text can be read on its background: %s', async (scheme) => {
  await slot.firstPage.session.send('Emulation.setEmulatedMedia', {
    features: [{ name: 'prefers-color-scheme', value: scheme }],
  });
  await open();
  await page(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
  expect(await page<string[]>(LOW_CONTRAST)).toEqual([]);
});

/** Texts with less contrast than WCAG's 4.5 : 1. Colours become bytes on a canvas: computed ones may be in any notation. */
const LOW_CONTRAST = `(() => {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const bytes = (colour) => { context.clearRect(0, 0, 1, 1); context.fillStyle = colour; context.fillRect(0, 0, 1, 1); return [...context.getImageData(0, 0, 1, 1).data]; };
  const light = (rgb) => rgb.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => { for (let one = element; one; one = one.parentElement) { const colour = bytes(getComputedStyle(one).backgroundColor); if (colour[3] === 255) return colour; } return [255, 255, 255]; };
  const low = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('svg') || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const [a, b] = [light(bytes(getComputedStyle(element).color)), light(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...low];
})()`;
