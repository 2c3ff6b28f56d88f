/** Looks at the page that a lane used last, each within a time limit. None of them throws because of a page. */
import type { ContextLogs } from './context-logs.ts';
import type { FrameRequest } from './frame-report.ts';
import { type Observation, observationOf } from './observation.ts';
import { type PageControl, readControls } from './page-controls.ts';
import type { PageSet } from './page-set.ts';
import type { Look } from './page-watch.ts';
import { readScripts, type ScriptFacts } from './read-scripts.ts';

const OBSERVE_TIMEOUT_MS = 2_000;

export interface HowToLook {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** One round trip. */
export async function observePage(
  pages: PageSet,
  logs: ContextLogs,
  asked: FrameRequest,
  { timeoutMs = OBSERVE_TIMEOUT_MS, signal }: HowToLook,
): Promise<Observation> {
  const { page } = pages;
  const look: Look = page ? await page.look(asked, timeoutMs, signal) : { state: 'gone', frames: [], silentFrames: 0 };
  if (page && look.main) {
    page.url = look.main.url;
    page.title = look.main.title;
  }
  return {
    at: logs.now(),
    marker: logs.marker,
    targetId: page?.targetId,
    url: page?.url ?? '',
    title: page?.title ?? '',
    counters: logs.counters,
    ...observationOf(look, pages),
  };
}

/** What a person could press; empty where the page does not answer. */
export async function controlsOf({ page }: PageSet, signal: AbortSignal | undefined): Promise<PageControl[]> {
  if (!page || page.hasCrashed || page.openDialog) return [];
  const how = { timeoutMs: OBSERVE_TIMEOUT_MS, signal };
  // A page may close or navigate in the meantime; then it has no controls to name.
  return readControls(page.session, how).catch(() => []);
}

/** Values of the script of the page. */
export async function scriptsOf(
  { page }: PageSet,
  expressions: readonly string[],
  { timeoutMs = OBSERVE_TIMEOUT_MS, signal }: HowToLook,
): Promise<ScriptFacts> {
  if (!page || page.hasCrashed || page.openDialog)
    return { unavailable: { script: 'The page cannot be asked: it is closed, has crashed, or shows a dialog.' } };
  return readScripts(page.session, expressions, { timeoutMs, signal });
}
