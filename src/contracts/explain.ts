/** Evidence as sentences for reports: what each assertion expected and what was observed. */

import { counted } from '../errors/index.ts';
import type { Evidence, GroupEvidence, LeafEvidence, NumberComparison } from './evidence.ts';
import type { TextComparison } from './facts.ts';
import type { Op } from './schema.ts';

const WORDS = { pass: 'Passed', fail: 'Failed', inconclusive: 'Inconclusive' } as const;
const OPS: Record<Op, string> = { eq: 'exactly', gte: 'at least', lte: 'at most' };

/**
 * One line per assertion. The children of an assertion follow it, indented by two more spaces.
 * Each line states the condition itself, so that it reads the same under a `not`.
 *
 * @example
 * explain(evaluateFacts({ kind: 'dom_text', selector: 'h1', contains: 'Thank you' }, { domText: { h1: 'Your cart' } }));
 * // ['Failed: the first element that matches "h1" contains "Thank you". Observed: its text is "Your cart".']
 */
export function explain(evidence: Evidence): string[] {
  const lines: string[] = [];
  const add = (node: Evidence, indent: string) => {
    lines.push(indent + sentence(node));
    for (const child of childrenOf(node)) add(child, `${indent}  `);
  };
  add(evidence, '');
  return lines;
}

function childrenOf(node: Evidence): Evidence[] {
  if (node.assertion_kind === 'not') return [node.details.child];
  return node.assertion_kind === 'and' || node.assertion_kind === 'or' ? node.details.children : [];
}

function sentence(node: Evidence): string {
  const start = `${WORDS[node.verdict]}: ${conditionOf(node)}.`;
  return node.verdict === 'inconclusive'
    ? `${start} Reason: ${node.details.reason ?? 'not recorded.'}`
    : `${start} Observed: ${observationOf(node)}.`;
}

function conditionOf(node: Evidence): string {
  switch (node.assertion_kind) {
    case 'and':
      return `all of ${counted(node.details.total, 'condition')} hold`;
    case 'or':
      return `one of ${counted(node.details.total, 'condition')} holds`;
    case 'not':
      return 'the condition below does not hold';
    case 'url':
      return `the URL matches ${quoted(node.details.pattern)}`;
    case 'dom_text':
      return `${pageOf(node.details)}the first element that matches ${quoted(node.details.selector)} ${comparedWith(node.details, 'has the text')}`;
    case 'dom_value':
      return `${pageOf(node.details)}the control that matches ${quoted(node.details.selector)} ${controlWanted(node.details)}`;
    case 'dom_count':
      return `${pageOf(node.details)}the number of elements that match ${quoted(node.details.selector)} is ${OPS[node.details.op]} ${node.details.target}`;
    case 'network': {
      const since = node.details.since === 'contract_enter' ? 'the contract was entered' : 'the last tool call';
      return `since ${since}, a response from a URL that matches ${quoted(node.details.url_pattern)} had status ${node.details.status_in.join(' or ')}`;
    }
    case 'screenshot_class':
      return `the screenshot is within ${counted(node.details.distance_max, 'bit')} of class ${quoted(node.details.class_id)}`;
    case 'no_dialog':
      return 'no dialog is open, and none was opened since the contract was entered';
    case 'script':
      return `${pageOf(node.details)}the expression ${quoted(node.details.expression)} ${scriptWanted(node.details)} (forgeable by an agent that may run code in the page)`;
    case 'image_qa':
      return `the answer to ${quoted(node.details.question)} matches ${quoted(node.details.expected_pattern)}`;
    case 'answer':
      return `the agent's final answer matches ${quoted(node.details.pattern)}`;
    case 'performance':
      return `${quoted(node.details.metric)} is ${OPS[node.details.op]} ${node.details.target} ${node.details.unit}`;
    case 'console':
      return `the number of console entries ${filtersOf(node.details.filters)} is ${OPS[node.details.op]} ${node.details.target}`;
  }
}

/** Where the assertion is about a page of its own. */
const pageOf = ({ page_url }: { page_url?: string }) =>
  page_url === undefined ? '' : `on ${quoted(page_url)}, opened at the end, `;

const comparedWith = ({ contains, equals, pattern }: TextComparison, has: string): string => {
  if (contains !== undefined) return `contains ${quoted(contains)}`;
  return equals === undefined ? `matches ${quoted(pattern ?? '')}` : `${has} ${quoted(equals)}`;
};

const numberWanted = ({ op = 'eq', target, tolerance }: NumberComparison): string =>
  `${OPS[op]} ${target}${tolerance === undefined ? '' : `, give or take ${tolerance}`}`;

function controlWanted(details: LeafEvidence<'dom_value'>['details']): string {
  const { checked, selected, op } = details;
  if (checked !== undefined) return `is ${checked ? '' : 'not '}checked`;
  if (typeof selected === 'boolean') return `is ${selected ? '' : 'not '}selected`;
  if (selected !== undefined) return `has exactly ${listed([selected].flat())} selected`;
  return op === undefined ? comparedWith(details, 'has the value') : `has a value of ${numberWanted(details)}`;
}

function scriptWanted(details: LeafEvidence<'script'>['details']): string {
  if ('equals' in details) return `has the value ${JSON.stringify(details.equals)}`;
  const { pattern } = details;
  return pattern === undefined ? `has a value of ${numberWanted(details)}` : `matches ${quoted(pattern)}`;
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'nothing' : names.map(quoted).join(', '));

function filtersOf(filters: LeafEvidence<'console'>['details']['filters']): string {
  const parts = [
    filters.type !== undefined && `of type ${quoted(filters.type)}`,
    filters.message_pattern !== undefined && `matching ${quoted(filters.message_pattern)}`,
    filters.uncaught === true && 'from uncaught exceptions',
    filters.uncaught === false && 'not from uncaught exceptions',
    `in the last ${filters.max_age_ms} ms`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

/** Call it only for a node that passed or failed: then its facts are present. */
function observationOf(node: Evidence): string {
  switch (node.assertion_kind) {
    case 'and':
    case 'or':
      return tallyOf(node);
    case 'not':
      return node.details.child.passed ? 'it holds' : 'it does not hold';
    case 'url':
      return `the URL is ${quoted(node.details.url ?? '')}`;
    case 'dom_text': {
      const { text_preview: text, text_length: length } = node.details;
      if (text === null) return 'no element matches';
      const cut = length !== null && length > text.length ? `, the first ${text.length} of ${length} characters` : '';
      return `its text is ${quoted(text)}${cut}`;
    }
    case 'dom_value': {
      const { observed, checked } = node.details;
      if (observed === null) return 'no element matches, or it has no such state';
      if (typeof observed === 'boolean')
        return `it is ${observed ? '' : 'not '}${checked === undefined ? 'selected' : 'checked'}`;
      if (Array.isArray(observed)) return `${listed(observed)} is selected`;
      return `its value is ${typeof observed === 'number' ? observed : quoted(observed)}`;
    }
    case 'dom_count':
      return `${node.details.observed}`;
    case 'network': {
      const { matched_count, scanned_count, last_match } = node.details;
      const last = last_match === null ? '' : `; the last is ${last_match.status} from ${quoted(last_match.url)}`;
      return `${matched_count} of ${counted(scanned_count ?? 0, 'response')}${last}`;
    }
    case 'screenshot_class': {
      const { distance, nearest_exemplar: nearest } = node.details;
      return `the nearest example, ${quoted(nearest ?? '')}, is ${counted(distance ?? 0, 'bit')} away`;
    }
    case 'no_dialog': {
      const open = node.details.dialog_open ? 'one is open' : 'none is open';
      return `${open}, ${node.details.dialogs_seen} opened`;
    }
    case 'script':
      return `its value is ${JSON.stringify(node.details.observed)}`;
    case 'image_qa':
      return `the answer is ${quoted(node.details.answer ?? '')}`;
    case 'answer':
      return node.details.answer === null ? 'there is no answer' : `the answer is ${quoted(node.details.answer)}`;
    case 'performance':
      return `${node.details.observed} ${node.details.unit}`;
    case 'console':
      return `${node.details.observed}`;
  }
}

function tallyOf({ details }: GroupEvidence): string {
  const count = (verdict: Evidence['verdict']) => details.children.filter((child) => child.verdict === verdict).length;
  const decides = details.deciding_index === null ? '' : `; number ${details.deciding_index + 1} decides`;
  return `${count('pass')} passed, ${count('fail')} failed, ${count('inconclusive')} inconclusive${decides}`;
}

const quoted = (text: string) => JSON.stringify(text);
