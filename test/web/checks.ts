/** What every page must pass: no serious finding of axe, nothing wider than the window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDTHS = [320, 375, 768, 1024, 1440];

interface Finding {
  id: string;
  impact: string | null;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

/** No finding that is serious or critical, in the light and in the dark. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await seriousFindings(page), `${page.url()} in ${colorScheme}`).toEqual([]);
  }
}

async function seriousFindings(page: Page): Promise<string[]> {
  // By the debugger, not by a script element: the app's policy would refuse that.
  const has = await page.evaluate('typeof axe');
  if (has === 'undefined') await page.evaluate(`${AXE}; undefined`);
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`).join('; ')}`,
    );
}

/** At the five widths: the page does not scroll sideways, and nothing stands outside of the window. */
export async function expectFits(page: Page): Promise<void> {
  const { height } = page.viewportSize() ?? { height: 768 };
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height });
    expect(await overflowing(page), `${page.url()} at ${width} px`).toEqual([]);
  }
}

/** Elements that reach out of the window or are cut off by a parent that hides what overflows. */
async function overflowing(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const found: string[] = [];
    if (document.documentElement.scrollWidth > width)
      found.push(`page is ${document.documentElement.scrollWidth} wide`);
    const isHidden = (element: Element) => element.closest('.visually-hidden, .skip-link, thead, [hidden]') !== null;
    const scrolls = (element: Element) => element.closest('.scroll-box') !== null;
    for (const element of document.querySelectorAll('body *')) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0 || isHidden(element) || scrolls(element)) continue;
      const name = `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? '').slice(0, 30)}"`;
      if (box.right > width + 1 || box.left < -1) found.push(`${name} from ${box.left} to ${box.right}`);
      const { overflowX } = getComputedStyle(element);
      if (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1) found.push(`${name} is clipped`);
    }
    return found;
  });
}
