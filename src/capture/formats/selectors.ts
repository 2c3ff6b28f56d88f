/**
 * Checks selectors from user input, as far as possible without a page. The rest is checked by the
 * runtime's dry run, which refuses a selector that it can't parse or that matches nothing.
 */
import type { Settings } from './settings.ts';

/** Ordered lists of CSS selectors: the first one that matches a visible element is used. An empty list: the page has no such element. */
export interface Selectors {
  readonly composer: readonly string[];
  readonly send: readonly string[];
  readonly busy: readonly string[];
  readonly assistant_turn: readonly string[];
  /** Inside a turn: where its text is. The n-th belongs to the n-th of `assistant_turn`; where there is none, the whole turn is the text. */
  readonly assistant_body: readonly string[];
  readonly done: readonly string[];
  readonly new_chat: readonly string[];
  readonly model_label: readonly string[];
}

export type Role = keyof Selectors;

export const SELECTOR_ISSUE_CODES = [
  'missing',
  'not_a_list',
  'unknown_role',
  'too_many',
  'too_long',
  'empty',
  'unbalanced',
  'unsafe',
] as const;

export interface SelectorIssue {
  /** `selectors.send`, `selectors.send[1]`, `settings.quiet_ms` */
  readonly path: string;
  readonly code: (typeof SELECTOR_ISSUE_CODES)[number];
  readonly message: string;
}

export const ROLES: readonly Role[] = [
  'composer',
  'send',
  'busy',
  'assistant_turn',
  'assistant_body',
  'done',
  'new_chat',
  'model_label',
];
const REQUIRED: readonly Role[] = ['composer', 'send', 'assistant_turn'];
/** For each role. */
export const MAX_SELECTORS = 10;
/** Characters of one selector. */
export const MAX_SELECTOR = 500;

/** No issues: the selectors can be tried on the page. A role that is left out is an empty list. */
export function validateSelectors(selectors: unknown, settings: Partial<Settings> = {}): SelectorIssue[] {
  if (typeof selectors !== 'object' || selectors === null || Array.isArray(selectors)) {
    return [issue('selectors', 'not_a_list', 'Selectors are an object with a list for each role.')];
  }
  const lists = new Map<string, unknown>(Object.entries(selectors));
  const issues: SelectorIssue[] = [];
  for (const [role, list] of lists) {
    const path = `selectors.${role}`;
    if (!(ROLES as readonly string[]).includes(role)) {
      issues.push(issue(path, 'unknown_role', `There is no role ${role}; the roles are ${ROLES.join(', ')}.`));
    } else if (!Array.isArray(list)) {
      issues.push(issue(path, 'not_a_list', `${role} must be a list of CSS selectors.`));
    } else {
      if (list.length > MAX_SELECTORS) {
        issues.push(issue(path, 'too_many', `${role} has ${list.length} selectors; ${MAX_SELECTORS} are allowed.`));
      }
      list.forEach((selector, index) => {
        issues.push(...checkOne(`${path}[${index}]`, selector));
      });
    }
  }
  const has = (role: Role): boolean => {
    const list = lists.get(role);
    return Array.isArray(list) && list.length > 0;
  };
  for (const role of REQUIRED) {
    if (!has(role))
      issues.push(issue(`selectors.${role}`, 'missing', `${role} is needed: enter at least one selector.`));
  }
  if (!has('busy') && !(typeof settings.quiet_ms === 'number' && settings.quiet_ms > 0)) {
    const message = 'Nothing says when an answer is finished: enter a busy selector or a quiet time.';
    issues.push(issue('selectors.busy', 'missing', message));
  }
  return issues;
}

function checkOne(path: string, selector: unknown): SelectorIssue[] {
  if (typeof selector !== 'string' || selector.trim() === '') {
    return [issue(path, 'empty', 'A selector is a text that is not empty.')];
  }
  if (selector.length > MAX_SELECTOR) {
    return [issue(path, 'too_long', `A selector has at most ${MAX_SELECTOR} characters.`)];
  }
  if (/[{}<;]|\/\*|^\s*javascript:/i.test(withoutStrings(selector))) {
    return [issue(path, 'unsafe', 'This is not a valid CSS selector.')];
  }
  if (!isBalanced(selector)) return [issue(path, 'unbalanced', 'A bracket or a quotation mark has no partner.')];
  return [];
}

function withoutStrings(selector: string): string {
  return selector.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
}

function isBalanced(selector: string): boolean {
  const partner: Record<string, string> = { ')': '(', ']': '[' };
  const open: string[] = [];
  for (const char of withoutStrings(selector).replaceAll('""', '')) {
    if (char === '"' || char === "'") return false;
    if (char === '(' || char === '[') open.push(char);
    else if (partner[char] !== undefined && open.pop() !== partner[char]) return false;
  }
  return open.length === 0;
}

function issue(path: string, code: SelectorIssue['code'], message: string): SelectorIssue {
  return { path, code, message };
}
