/** What changed between two observations of the witness, as sentences. */
import { counted } from '../errors/index.ts';
import type { EventOf } from '../events/index.ts';
import { short } from './clip.ts';
import { HTML_LIMITS } from './limits.ts';

type Evidence = EventOf<'evidence'>;

export interface Change {
  /** One or two words, for the summary line of the step. */
  tag: string;
  sentence: string;
  /** List entries, as text. */
  entries?: string[];
  isBad?: boolean;
}

/** Empty if nothing changed. */
export function changesBetween(before: Evidence | undefined, now: Evidence): Change[] {
  return [...pageChanges(before, now), ...eventChanges(before, now)];
}

function pageChanges(before: Evidence | undefined, now: Evidence): Change[] {
  const changes: Change[] = [];
  const digests = before?.digests && now.digests ? { was: before.digests, is: now.digests } : undefined;
  if (now.page !== 'ok')
    changes.push({ tag: now.page, sentence: `The page is not readable: ${now.page}.`, isBad: true });
  if (before?.url !== now.url) {
    const from = before ? ` It was ${short(before.url)}.` : '';
    changes.push({ tag: 'url', sentence: `The URL is ${short(now.url)}.${from}` });
  }
  if (before && before.title !== now.title)
    changes.push({ tag: 'title', sentence: `The title is “${short(now.title)}”; it was “${short(before.title)}”.` });
  if (digests && digests.was.text !== digests.is.text)
    changes.push({ tag: 'text', sentence: 'The visible text changed.' });
  if (digests && digests.was.dom !== digests.is.dom) {
    const entries = regionChanges(before?.regions, now.regions);
    changes.push({ tag: 'dom', sentence: 'The document changed.', ...(entries.length > 0 ? { entries } : {}) });
  }
  if (digests && digests.was.actionable !== digests.is.actionable)
    changes.push({ tag: 'actionable', sentence: 'The actionable elements changed.' });
  if (before && before.tabs.length !== now.tabs.length)
    changes.push({ tag: 'tabs', sentence: `${counted(now.tabs.length, 'tab')} instead of ${before.tabs.length}.` });
  return changes;
}

function regionChanges(before: Evidence['regions'], now: Evidence['regions']): string[] {
  if (!before || !now) return [];
  // The path of a whole region contains an @; paths without it are leaves, which show the position.
  const changed = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(
    (path) => !path.endsWith('@') && before[path] !== now[path],
  );
  return bounded(
    changed,
    (path) => `${path}: ${before[path] === undefined ? 'new' : now[path] === undefined ? 'gone' : 'changed'}`,
  );
}

function eventChanges(before: Evidence | undefined, now: Evidence): Change[] {
  const since = (name: 'network' | 'console' | 'dialogs' | 'downloads' | 'popups'): number =>
    now.counters[name] - (before?.counters[name] ?? 0);
  const changes: Change[] = [];
  const { network = [], console = [], dialogs = [], downloads = [], popups = [] } = now;
  if (network.length > 0) {
    const failed = network.filter((entry) => entry.failed !== undefined || (entry.status ?? 0) >= 400).length;
    const what = began(since('network'), network.length, 'request', 'got its answer', 'got their answers');
    changes.push({
      tag: failed > 0 ? counted(failed, 'failed request') : what.tag,
      sentence: `${what.words}${failed > 0 ? `, ${failed} of them failed` : ''}.`,
      entries: bounded(network, (r) => `${r.method} ${short(r.url)} → ${r.failed ?? r.status ?? 'no answer yet'}`),
      isBad: failed > 0,
    });
  }
  if (since('console') > 0) {
    const errors = console.filter(({ type, uncaught }) => uncaught || type === 'error').length;
    changes.push({
      tag: errors > 0 ? counted(errors, 'console error') : counted(since('console'), 'console line'),
      sentence: `${counted(since('console'), 'console line')}${errors > 0 ? `, ${counted(errors, 'error')} among them` : ''}.`,
      entries: bounded(console, ({ type, text, uncaught }) => `${uncaught ? 'uncaught' : type}: ${short(text)}`),
      isBad: errors > 0,
    });
  }
  if (dialogs.length > 0) {
    const { tag, words } = began(since('dialogs'), dialogs.length, 'dialog', 'was closed', 'were closed', ' opened');
    changes.push({
      tag,
      sentence: `${words}.`,
      entries: bounded(dialogs, ({ type, message, accepted }) => `${type} “${short(message)}”${answered(accepted)}`),
    });
  }
  if (downloads.length > 0) {
    const { tag, words } = began(since('downloads'), downloads.length, 'download', 'ended', 'ended', ' began');
    changes.push({
      tag,
      sentence: `${words}.`,
      entries: bounded(
        downloads,
        ({ suggestedFilename, state, url }) => `${short(suggestedFilename)} (${state}) from ${short(url)}`,
      ),
    });
  }
  if (since('popups') > 0)
    changes.push({
      tag: counted(since('popups'), 'popup'),
      sentence: `${counted(since('popups'), 'popup')} opened.`,
      entries: bounded(popups, ({ url }) => short(url || 'about:blank')),
    });
  return changes;
}

/** An entry that did not start since the previous observation has ended since: `2 requests, 1 earlier one got its answer`. */
function began(count: number, listed: number, noun: string, ended: string, allEnded: string, verb = '') {
  const late = Math.max(0, listed - count);
  const earlier = late > 0 ? `${late} earlier ${late === 1 ? `one ${ended}` : `ones ${allEnded}`}` : '';
  if (count === 0)
    return { tag: `earlier ${noun}`, words: `${late} earlier ${noun}${late === 1 ? ` ${ended}` : `s ${allEnded}`}` };
  return { tag: counted(count, noun), words: [`${counted(count, noun)}${verb}`, earlier].filter(Boolean).join(', ') };
}

function answered(accepted: boolean | undefined): string {
  if (accepted === undefined) return ', still open';
  return accepted ? ', accepted' : ', dismissed';
}

/** The first entries of a list, and how many more there are. */
function bounded<T>(entries: readonly T[], words: (entry: T) => string): string[] {
  const kept = entries.slice(0, HTML_LIMITS.entries).map(words);
  const more = entries.length - kept.length;
  return more > 0 ? [...kept, `and ${more} more`] : kept;
}
