/**
 * Makes the pictures of the web app and of a report in docs/pictures: a real server with sample data, runs of the test model, a real
 * browser. Each page of the app is shown in light, dark and as on a phone.
 *   npx node scripts/make-web-pictures.ts [folder]
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { openWebApp } from '../test/web/app.ts';
import { type SampleData, sampleData } from './web-pictures/sample-data.ts';
import { type TaskRuns, taskRuns } from './web-pictures/task-runs.ts';

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../docs/pictures'));

const LOOKS = {
  light: { viewport: { width: 1200, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1200, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 375, height: 812 }, colorScheme: 'light', hasTouch: true, isMobile: true },
} as const;
/** More than two screens of a phone say nothing that the first two do not. */
const TALLEST = 1_600;

interface Pictured {
  at: (data: SampleData & TaskRuns) => string;
  /** What must be there before the picture. */
  ready: (page: Page) => Promise<unknown>;
}

const PAGES: Readonly<Record<string, Pictured>> = {
  home: { at: () => '/', ready: (page) => page.getByRole('heading', { name: 'Trends' }).waitFor() },
  run: { at: ({ run }) => `/runs/${run}`, ready: (page) => page.locator('.item').first().waitFor() },
  compare: {
    at: ({ a, b }) => `/compare?a=${a}&b=${b}`,
    ready: (page) => page.locator('.item').first().waitFor(),
  },
  tasks: {
    at: ({ wanderer }) => `/folders/${wanderer}`,
    ready: (page) => page.getByRole('row').nth(3).waitFor(),
  },
  'compare-tasks': {
    at: ({ wanderer, oracle }) => `/compare?a=${wanderer}&b=${oracle}`,
    ready: (page) => page.getByRole('heading', { name: 'Where they part' }).waitFor(),
  },
  harness: {
    at: ({ dataset }) => `/browser-harness?dataset=${dataset}`,
    async ready(page) {
      await page.getByText(/^Ready: \d+ prompts can be packed\.$/).waitFor();
      await page.getByRole('button', { name: 'Make the pack' }).click();
      await page.getByRole('region', { name: 'The pack' }).waitFor();
      await page.evaluate(() => window.scrollTo(0, 0));
    },
  },
};

using tasks = await taskRuns();
await using app = await openWebApp({ runs: [tasks.folder] });
await using sample = await sampleData(app);
const data = { ...sample, ...tasks };
mkdirSync(folder, { recursive: true });
for (const [name, { at, ready }] of Object.entries(PAGES)) {
  for (const [look, options] of Object.entries(LOOKS)) {
    const page = await app.open(at(data), { ...options, locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' });
    await ready(page);
    const { width } = options.viewport;
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.screenshot({
      path: path.join(folder, `web-${name}-${look}.png`),
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(height, TALLEST) },
    });
    console.log(`web-${name}-${look}.png of a page of ${width} x ${height} pixels`);
    await page.context().close();
  }
}
const report = await app.browser.newPage({ viewport: { width: 1280, height: 900 } });
await report.goto(pathToFileURL(path.join(tasks.folder, 'wanderer', 'report.html')).href);
await report.screenshot({ path: path.join(folder, 'report.png') });
await report.getByRole('link', { name: 'desk-download' }).click();
// The large picture is the last that is shown.
await report.locator('.v-picture').evaluate((picture: HTMLImageElement) => picture.decode());
await report.setViewportSize({ width: 1280, height: 1000 });
await report.screenshot({ path: path.join(folder, 'report-attempt.png') });
console.log('report.png, report-attempt.png');
if (app.faults.length > 0) throw new Error(app.faults.join('\n'));
