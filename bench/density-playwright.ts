/** One browser per agent, as Playwright scripts and servers start them: the same steps with a picture each, and nothing else. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { type DensityFigures, DensityMeasure, type DensityOptions } from './density-measure.ts';
import { childGroups, memoryOf, ownMiB } from './process-usage.ts';
import { FORM } from './throughput-task.ts';

export async function playwrightDensity(options: DensityOptions): Promise<DensityFigures> {
  const startedAt = performance.now();
  const agents: { browser: Browser; page: Page }[] = [];
  try {
    while (agents.length < options.atOnce && fits(agents.length, options.limitMiB)) agents.push(await open(options));
    const measure = new DensityMeasure(options, agents.length, startedAt);
    const failed: string[] = [];
    await Promise.all(
      agents.map(async ({ page }, n) => {
        const id = `agent-${n + 1}`;
        try {
          await measure.drive(id, stepsOf(page, options));
        } catch (error) {
          failed.push(`${id}: ${String(error).split('\n')[0]}`);
        }
      }),
    );
    return measure.figures(failed);
  } finally {
    await Promise.all(agents.map(({ browser }) => browser.close()));
  }
}

/** Whether the next one would fit, if it needs as much as the others do. */
function fits(agents: number, limitMiB: number): boolean {
  if (agents === 0) return true;
  return (memoryOf(childGroups()).mib / agents) * (agents + 1) + ownMiB() <= limitMiB;
}

async function open({ browser: { path }, resolverRules, origin }: DensityOptions) {
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', `--host-resolver-rules=${resolverRules}`],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${origin}/form`);
  // What a picture needs is part of what a browser needs.
  await picture(page);
  return { browser, page };
}

function stepsOf(page: Page, { rounds, origin }: DensityOptions): (() => Promise<unknown>)[] {
  const seen = (act: () => Promise<unknown>) => async () => {
    await act();
    await picture(page);
  };
  const form = [
    seen(() => page.fill('#name', FORM.name)),
    seen(() => page.fill('#email', FORM.email)),
    seen(() => page.selectOption('#plan', FORM.plan)),
    seen(() => page.check('#terms')),
    seen(async () => {
      await page.click('#submit');
      await page.waitForURL(FORM.done);
    }),
  ];
  const again = seen(() => page.goto(`${origin}/form`));
  return Array.from({ length: rounds }, (_, round) => (round === 0 ? form : [again, ...form])).flat();
}

function picture(page: Page): Promise<Buffer> {
  return page.screenshot({ type: 'jpeg', quality: 80 });
}
