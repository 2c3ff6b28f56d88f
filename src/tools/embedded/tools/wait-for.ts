/** wait_for: waits until an element appears or disappears, or until the address matches. The page's changes wake it up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Call } from '../call.ts';
import { ToolFailure } from '../failure.ts';
import type { Target } from '../in-page/input-actions.ts';
import { tabField, timeField } from '../locator.ts';
import { PlaceGone } from '../place.ts';
import { changed, lookFor, rest, said, type Watched } from '../resolve.ts';
import type { Tab } from '../tab.ts';
import { defineTool } from '../tool.ts';
import { urlFits } from './url-pattern.ts';

export const waitFor = defineTool({
  name: 'wait_for',
  description:
    'Wait until a text or element is visible (or gone), the address fits, or a time has passed. Give one of text, selector, url, ms.',
  input: z.strictObject({
    text: z.string().min(1).optional().describe('Visible text'),
    selector: z
      .string()
      .min(1)
      .optional()
      .describe('CSS selector of a visible element; ">>>" goes into shadow roots and frames'),
    gone: z.boolean().optional().describe('Wait until the text or element is not visible any more'),
    url: z.string().min(1).optional().describe('Part of the address, or a pattern with *'),
    ms: z.number().int().min(0).max(30_000).optional().describe('Just this long'),
    ...tabField,
    ...timeField,
  }),
  reads: true,
  timeoutMs: 10_000,
  run: async ({ text, selector, gone = false, url, ms, tabId }, given) => {
    const kinds = [text, selector, url, ms].filter((kind) => kind !== undefined);
    if (kinds.length !== 1)
      throw new ToolFailure('bad_argument', 'wait_for needs exactly one of text, selector, url and ms.');
    const tab = given.context.tab(tabId);
    const call = given.within(tab);
    await call.context.use(tab);
    const start = performance.now();
    const since = (): string => `after ${Math.round(performance.now() - start)} ms`;
    if (ms !== undefined) {
      await sleep(Math.min(ms, call.waitMs), undefined, { signal: call.signal });
      if (ms > call.timeoutMs)
        throw new ToolFailure(
          'timeout',
          `The call may take ${call.timeoutMs} ms, and ${ms} ms were asked for.`,
          'Give a longer timeoutMs.',
        );
      return `Waited ${ms} ms.`;
    }
    tab.checkDialog();
    if (url !== undefined) {
      await forUrl(call, tab, url);
      return `The page is ${tab.page.url} ${since()}.`;
    }
    const target: Target = text === undefined ? { selector: selector ?? '' } : { text };
    const line = await forTarget(call, tab, target, gone);
    return gone ? `The ${said(target)} is gone ${since()}.` : `There is ${line} ${since()}.`;
  },
});

async function forUrl(call: Call, tab: Tab, pattern: string): Promise<void> {
  const { page } = tab;
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => {
    if (urlFits(page.url, pattern)) resolve();
  };
  // PageWatch listens to the same events and is called first, so its address is the new one by now.
  const stops = [page.session.on('Page.frameNavigated', check), page.session.on('Page.navigatedWithinDocument', check)];
  const given = Promise.withResolvers<never>();
  const late = (): void => {
    const message = `The address is ${page.url} and did not become "${pattern}" within ${call.timeoutMs} ms.`;
    given.reject(new ToolFailure('timeout', message));
  };
  const timer = setTimeout(late, call.waitMs);
  const giveUp = (): void => given.reject(call.signal.reason);
  call.signal.addEventListener('abort', giveUp, { once: true });
  try {
    check();
    await Promise.race([promise, given.promise]);
  } finally {
    for (const stop of stops) stop();
    clearTimeout(timer);
    call.signal.removeEventListener('abort', giveUp);
  }
}

async function forTarget(call: Call, tab: Tab, target: Target, gone: boolean): Promise<string> {
  const watched: Watched = new Map();
  try {
    for (;;) {
      const { matches, problem } = await lookFor(call, tab, target, false, true, watched);
      if (problem?.kind === 'bad_argument') throw new ToolFailure('bad_argument', problem.message);
      const shown = matches.find((match) => match.shown);
      if (gone === (shown === undefined)) return shown?.line ?? '';
      if (call.waitMs <= 0) {
        const what = gone ? `The ${said(target)} is still there` : `There is no visible ${said(target)}`;
        throw new ToolFailure('timeout', `${what} after ${call.timeoutMs} ms.`);
      }
      await changed(call, watched, call.waitMs);
    }
  } catch (error) {
    if (error instanceof PlaceGone) return forTarget(call, tab, target, gone);
    throw error;
  } finally {
    rest(watched);
  }
}
