import { expect, test } from 'vitest';
import { evaluateFacts } from './evaluate-facts.ts';
import { explain } from './explain.ts';
import type { Facts } from './facts.ts';
import type { Contract } from './schema.ts';

const facts: Facts = {
  ts: 1000,
  url: 'https://shop.example/cart',
  domText: { h1: 'Your cart', body: 'x'.repeat(300), p: null },
  domCount: { li: 1 },
  network: [{ url: 'https://shop.example/api', status: 201, ts: 5 }],
  markers: { contract_enter: 0, last_tool_call: 6 },
  dialogs: { open: false, seen: 2 },
  console: [],
  performance: [{ metric: 'LCP', value: 90, unit: 'ms', ts: 1000 }],
  screenshot: { hash: '0000000000000001' },
  exemplars: { cart: [{ name: 'a.png', hash: '0000000000000000' }] },
  answers: { 'Empty?': 'no' },
  answer: 'It is 17',
};

const LINES: [Contract, string][] = [
  [
    { kind: 'url', pattern: 'cart$' },
    'Passed: the URL matches "cart$". Observed: the URL is "https://shop.example/cart".',
  ],
  [
    { kind: 'dom_text', selector: 'h1', contains: 'Thank' },
    'Failed: the first element that matches "h1" contains "Thank". Observed: its text is "Your cart".',
  ],
  [
    { kind: 'dom_text', selector: 'p', contains: 'x' },
    'Failed: the first element that matches "p" contains "x". Observed: no element matches.',
  ],
  [
    { kind: 'dom_text', contains: 'x' },
    `Passed: the first element that matches "body" contains "x". Observed: its text is "${'x'.repeat(240)}", the first 240 of 300 characters.`,
  ],
  [
    { kind: 'dom_text', selector: 'h2', contains: 'x' },
    'Inconclusive: the first element that matches "h2" contains "x". Reason: The text of this selector was not recorded.',
  ],
  [
    { kind: 'dom_count', selector: 'li', op: 'gte', value: 2 },
    'Failed: the number of elements that match "li" is at least 2. Observed: 1.',
  ],
  [
    { kind: 'network', url_pattern: 'api', status_in: [200, 201], since: 'contract_enter' },
    'Passed: since the contract was entered, a response from a URL that matches "api" had status 200 or 201. Observed: 1 of 1 response; the last is 201 from "https://shop.example/api".',
  ],
  [
    { kind: 'network', url_pattern: 'api', status_in: [200], since: 'last_tool_call' },
    'Failed: since the last tool call, a response from a URL that matches "api" had status 200. Observed: 0 of 0 responses.',
  ],
  [
    { kind: 'screenshot_class', class_id: 'cart', distance_max: 0 },
    'Failed: the screenshot is within 0 bits of class "cart". Observed: the nearest example, "a.png", is 1 bit away.',
  ],
  [
    { kind: 'no_dialog' },
    'Failed: no dialog is open, and none was opened since the contract was entered. Observed: none is open, 2 opened.',
  ],
  [
    { kind: 'image_qa', question: 'Empty?', expected_pattern: 'yes' },
    'Failed: the answer to "Empty?" matches "yes". Observed: the answer is "no".',
  ],
  [
    { kind: 'answer', pattern: '^17$' },
    'Failed: the agent\'s final answer matches "^17$". Observed: the answer is "It is 17".',
  ],
  [
    { kind: 'performance', schema_version: 1, metric: 'LCP', unit: 'ms', op: 'lte', value: 100, max_age_ms: 10 },
    'Passed: "LCP" is at most 100 ms. Observed: 90 ms.',
  ],
  [
    {
      kind: 'console',
      schema_version: 1,
      type: 'error',
      message_pattern: 'x',
      uncaught: true,
      op: 'eq',
      value: 1,
      max_age_ms: 10,
    },
    'Failed: the number of console entries of type "error" matching "x" from uncaught exceptions in the last 10 ms is exactly 1. Observed: 0.',
  ],
  [
    { kind: 'console', schema_version: 1, uncaught: false, op: 'lte', value: 0, max_age_ms: 10 },
    'Passed: the number of console entries not from uncaught exceptions in the last 10 ms is at most 0. Observed: 0.',
  ],
];

test.each(LINES)('%o in words', (contract, line) => {
  expect(explain(evaluateFacts(contract, facts))).toEqual([line]);
});

test('a tree reads from the top, its children further in', () => {
  const contract: Contract = {
    kind: 'and',
    children: [
      { kind: 'or', children: [{ kind: 'url', pattern: 'done' }] },
      { kind: 'not', child: { kind: 'dom_count', selector: 'li', op: 'eq', value: 1 } },
    ],
  };
  expect(explain(evaluateFacts(contract, facts))).toEqual([
    'Failed: all of 2 conditions hold. Observed: 0 passed, 2 failed, 0 inconclusive; number 1 decides.',
    '  Failed: one of 1 condition holds. Observed: 0 passed, 1 failed, 0 inconclusive.',
    '    Failed: the URL matches "done". Observed: the URL is "https://shop.example/cart".',
    '  Failed: the condition below does not hold. Observed: it holds.',
    '    Passed: the number of elements that match "li" is exactly 1. Observed: 1.',
  ]);
});
