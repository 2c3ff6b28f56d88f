/** (a) A plain playwright-core script: a new context an episode, a screenshot each step. */
import { chromium, type Page } from 'playwright-core';
import { FORM } from './throughput-task.ts';

export interface RivalOptions {
  executablePath: string;
  resolverRules: string;
  origin: string;
  episodes: number;
  concurrency: number;
}

export async function playwrightEpisodes(options: RivalOptions): Promise<number> {
  const browser = await chromium.launch({
    executablePath: options.executablePath,
    args: ['--no-sandbox', `--host-resolver-rules=${options.resolverRules}`],
  });
  try {
    const start = performance.now();
    let begun = 0;
    const worker = async (): Promise<void> => {
      while (begun++ < options.episodes) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
        await formEpisode(await context.newPage(), options.origin);
        await context.close();
      }
    };
    await Promise.all(Array.from({ length: options.concurrency }, worker));
    return performance.now() - start;
  } finally {
    await browser.close();
  }
}

export async function formEpisode(page: Page, origin: string): Promise<void> {
  const picture = (): Promise<Buffer> => page.screenshot({ type: 'jpeg', quality: 80 });
  await page.goto(`${origin}/form`);
  await page.fill('#name', FORM.name);
  await picture();
  await page.fill('#email', FORM.email);
  await picture();
  await page.selectOption('#plan', FORM.plan);
  await picture();
  await page.check('#terms');
  await picture();
  await page.click('#submit');
  await page.waitForURL(FORM.done);
  await picture();
}
