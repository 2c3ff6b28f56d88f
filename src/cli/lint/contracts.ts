/** Finds contracts that always pass: evaluates them on pages where nothing was done, and checks each assertion alone. */
import {
  type Contract,
  type DomNeeded,
  evaluateFacts,
  type Facts,
  factsNeeded,
  isForgeable,
  type TextNeeded,
} from '../../contracts/index.ts';
import type { Found, Rule } from './finding.ts';

/** URLs that have nothing in common: a pattern that matches all of them matches anything. */
const UNRELATED_URLS = ['about:blank', 'data:,', 'https://q.invalid/7?k=v#h', 'x'];

export const contractRules: Rule = ({ task }) => {
  const { success, startUrl } = task;
  const empty = untouchedPages(success).some((facts) => evaluateFacts(success, facts).verdict === 'pass');
  return [
    ...(empty
      ? [
          {
            rule: 'empty_contract' as const,
            path: '$.success',
            message: 'The contract passes on a page where nothing was done, so every agent would pass this task.',
          },
        ]
      : evaluateFacts(success, { url: startUrl }).verdict === 'pass'
        ? [
            {
              rule: 'holds_at_start' as const,
              path: '$.success',
              message: 'The contract already holds at the start URL, so any first step would pass.',
            },
          ]
        : []),
    ...vacuous(success, '$.success'),
    ...(isForgeable(success)
      ? [
          {
            rule: 'forgeable_contract' as const,
            path: '$.success',
            message:
              "The contract asks the page's script: an agent that may run code in the page can make it pass. Prefer what the page shows, or what the server received.",
          },
        ]
      : []),
    ...(factsNeeded(success).answers.length > 0
      ? [
          {
            rule: 'needs_model' as const,
            path: '$.success',
            message: 'The contract asks a model about a screenshot: `waymark run` needs --image-model for it.',
          },
        ]
      : []),
  ];
};

/** Facts of two pages: one without any element that the contract names, and one whose elements have other text and values. */
function untouchedPages(contract: Contract): Facts[] {
  const needed = factsNeeded(contract);
  const quiet: Facts = {
    ts: 0,
    url: 'about:blank',
    network: [],
    markers: { contract_enter: 0, last_tool_call: 0 },
    dialogs: { open: false, seen: 0 },
    console: [],
    answer: null,
  };
  return [null, '\u0001'].map((text) => ({
    ...quiet,
    ...domOf(needed, text),
    pages: Object.fromEntries(
      needed.pages.map((page) => [page.url, { ...domOf(page, text), script: all(page.script, text) }]),
    ),
    script: all(needed.script, text),
  }));
}

function domOf({ domText, domValue, domCount }: DomNeeded, text: string | null): Facts {
  return {
    domText: all(selectorsOf(domText), text),
    domValue: all(selectorsOf(domValue), text === null ? null : { value: text }),
    domCount: all(domCount, 0),
  };
}

const selectorsOf = (needed: readonly TextNeeded[]): string[] => needed.map(({ selector }) => selector);

const all = <T>(keys: readonly string[], value: T): Record<string, T> =>
  Object.fromEntries(keys.map((key) => [key, value]));

function vacuous(contract: Contract, path: string): Found[] {
  if (contract.kind === 'not') return vacuous(contract.child, `${path}.child`);
  if (contract.kind === 'and' || contract.kind === 'or')
    return contract.children.flatMap((child, index) => vacuous(child, `${path}.children.${index}`));
  const why = emptiness(contract);
  return why === undefined ? [] : [{ rule: 'vacuous_assertion', path, message: why }];
}

function emptiness(leaf: Contract): string | undefined {
  switch (leaf.kind) {
    case 'url':
      return matchesAnything(leaf.pattern) ? `The pattern "${leaf.pattern}" matches any URL.` : undefined;
    case 'dom_text':
      if (leaf.contains?.trim() === '')
        return 'Every text contains the empty text. Name the words, or count elements with dom_count.';
      return matchesAnyText(leaf.pattern);
    case 'dom_value':
    case 'script':
      return matchesAnyText(leaf.pattern);
    case 'dom_count':
    case 'console':
      return leaf.op === 'gte' && leaf.value === 0 ? 'Every number is at least 0.' : undefined;
    case 'performance':
      return leaf.op === 'gte' && leaf.value === 0 ? 'Every measurement is at least 0.' : undefined;
    case 'network':
      return matchesAnything(leaf.url_pattern) &&
        leaf.since === 'contract_enter' &&
        leaf.status_in.some((status) => status !== 'blocked')
        ? `The pattern "${leaf.url_pattern}" matches any response, including that of the start page.`
        : undefined;
    case 'screenshot_class':
      return leaf.distance_max >= 32
        ? 'Unrelated pictures are about 32 bits apart, so this distance accepts any picture.'
        : undefined;
    case 'image_qa':
      return matchesAnything(leaf.expected_pattern)
        ? `The pattern "${leaf.expected_pattern}" matches any answer.`
        : undefined;
    case 'answer':
      return matchesAnything(leaf.pattern) ? `The pattern "${leaf.pattern}" matches any answer.` : undefined;
    default:
      return undefined;
  }
}

function matchesAnyText(pattern: string | undefined): string | undefined {
  return pattern !== undefined && matchesAnything(pattern) ? `The pattern "${pattern}" matches any text.` : undefined;
}

function matchesAnything(pattern: string): boolean {
  return UNRELATED_URLS.every((url) => evaluateFacts({ kind: 'url', pattern }, { url }).verdict === 'pass');
}
