/** Turns the fields into a request, and lists the problems that the page finds without the server. */
import { SELECTOR_ISSUE_CODES, type SelectorIssue, validateSelectors } from '../../../src/capture/formats.ts';
import type { Request } from '../../../src/server/client.ts';
import { isAboutJudge } from '../api/judge-codes.ts';
import { type Draft, linesOf, millisecondsOf, type SelectorTexts, selectorsOf } from './draft.ts';

export type PackRequest = Request<'post', '/browser-harness/packs'>['json'];
export type PartName = 'scope' | 'target' | 'judge';

export interface Blocker {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
  /** Where it is mended. */
  readonly part: PartName;
}

const DAY_S = 24 * 3600;

export function packRequest(draft: Draft, needsJudge: boolean): PackRequest {
  const { preset, targets, sections, maxItems, judge } = draft;
  const { origin, displayName, selectors } = targets[preset];
  return {
    dataset_id: draft.datasetId,
    ...(sections ? { sections: [...sections] } : {}),
    ...(maxItems.trim() === '' ? {} : { max_items: Number(maxItems) }),
    target: {
      preset,
      origin,
      display_name: displayName.trim() || nameOf(origin),
      ...(selectors ? { selectors: mutable(selectors) } : {}),
    },
    ...(needsJudge && judge.providerId !== ''
      ? { judge: { provider_id: judge.providerId, model: judge.model.trim(), prompt: judge.prompt } }
      : {}),
    ttl_s: Number(draft.ttlDays) * DAY_S,
  };
}

export function nameOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}

/** An origin as the browser writes it, of whatever address was entered; undefined when it is none. */
export function originOf(text: string): string | undefined {
  if (!URL.canParse(text.trim())) return undefined;
  const { origin, protocol } = new URL(text.trim());
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

/** The server's own rules, and the browser's opinion on each selector. */
export function selectorIssues(texts: SelectorTexts, quiet: string): SelectorIssue[] {
  const quietMs = millisecondsOf(quiet);
  const issues = validateSelectors(selectorsOf(texts), quietMs === undefined ? {} : { quiet_ms: quietMs });
  for (const [role, text] of Object.entries(texts)) {
    linesOf(text).forEach((selector, index) => {
      const path = `selectors.${role}[${index}]`;
      if (!isCss(selector) && !issues.some((issue) => issue.path === path)) {
        issues.push({ path, code: 'unsafe', message: 'The browser does not know this selector.' });
      }
    });
  }
  return issues;
}

/** What the server need not be asked about. */
export function blockersOf(draft: Draft, needsJudge: boolean): Blocker[] {
  const { datasetId, sections, maxItems, preset, targets, timing, judge } = draft;
  const { origin, selectors } = targets[preset];
  const found: Blocker[] = [];
  const block = (part: PartName, code: string, message: string, fix: string) =>
    found.push({ part, code, message, fix });
  if (datasetId === '') block('scope', 'dataset_missing', 'No dataset is chosen.', 'Choose one in Scope.');
  if (sections?.length === 0) block('scope', 'pack_empty', 'No section is chosen.', 'Choose at least one section.');
  if (maxItems.trim() !== '' && !/^[1-9]\d*$/.test(maxItems.trim())) {
    block(
      'scope',
      'max_items_invalid',
      `“${maxItems}” is not a valid number of items.`,
      'Enter a whole number, or leave it empty.',
    );
  }
  if (origin === '') {
    block(
      'target',
      'origin_missing',
      'The page’s origin is not entered.',
      'Enter it, such as https://chat.example.com.',
    );
  } else if (originOf(origin) !== origin) {
    block(
      'target',
      'origin_invalid',
      `“${origin}” is not a valid origin.`,
      'Enter scheme and host, such as https://chat.example.com.',
    );
  }
  if (millisecondsOf(timing.quiet, 1) === undefined || millisecondsOf(timing.pace) === undefined) {
    block('target', 'timing_invalid', 'A time is not a number of seconds.', 'Correct it under Timing.');
  } else if (millisecondsOf(timing.timeout, 1) === undefined) {
    block(
      'target',
      'timing_invalid',
      'The time limit per answer is not a number of seconds.',
      'Correct it under Timing.',
    );
  }
  for (const { path, code, message } of selectors ? selectorIssues(selectors, timing.quiet) : []) {
    const line = /^selectors\.(\w+)\[(\d+)\]$/.exec(path);
    const where = line ? `${line[1]}, line ${Number(line[2]) + 1}: ` : '';
    block('target', `selector_${code}`, `${where}${message}`, 'Correct it in the selector editor.');
  }
  if (needsJudge && judge.providerId === '') {
    block(
      'judge',
      'judge_required',
      'An item can only be scored by a judge, and none is chosen.',
      'Choose an API provider.',
    );
  } else if (needsJudge && judge.model.trim() === '') {
    block('judge', 'judge_model_missing', 'The judge has no model.', 'Enter the model’s name.');
  }
  return found;
}

/** The part of the form where a refusal of the server can be corrected. */
export function partOf(code: string): PartName {
  if (isAboutJudge(code)) return 'judge';
  return SELECTOR_CODES.has(code) ? 'target' : 'scope';
}

const SELECTOR_CODES: ReadonlySet<string> = new Set(SELECTOR_ISSUE_CODES.map((code) => `selector_${code}`));

function mutable(texts: SelectorTexts): Record<string, string[]> {
  return Object.fromEntries(Object.entries(texts).map(([role, text]) => [role, linesOf(text)]));
}

function isCss(selector: string): boolean {
  try {
    document.createDocumentFragment().querySelector(selector);
    return true;
  } catch {
    // The browser throws for an invalid selector.
    return false;
  }
}
