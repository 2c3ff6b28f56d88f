import { describe, expect, test } from 'vitest';
import { type LeafRow, testLeaves } from '../../test/support/test-leaves.ts';
import { evaluateFacts } from './evaluate-facts.ts';
import type { Contract } from './schema.ts';

const network: Contract = { kind: 'network', url_pattern: '/api', status_in: [200, 201], since: 'last_tool_call' };
const lcp = (unit: 'ms' | 'seconds' | 'bytes', value: number): Contract => ({
  kind: 'performance',
  schema_version: 1,
  metric: 'LCP',
  unit,
  op: 'lte',
  value,
  max_age_ms: 1000,
});
const errors: Contract = { kind: 'console', schema_version: 1, type: 'error', op: 'eq', value: 0, max_age_ms: 1000 };

const [a, b, c] = [
  { url: 'https://x/api/1', status: 200, ts: 10 },
  { url: 'https://x/api/2', status: 500, ts: 20 },
  { url: 'https://x/api/3', status: 201, ts: 30 },
];
const seen = { url_pattern: '/api', status_in: [200, 201], since: 'last_tool_call' };
const said = (ts: number, uncaught = false, type = 'error', message = 'boom') => ({
  type,
  text: message,
  uncaught,
  ts,
});
const filters = { type: 'error', max_age_ms: 1000 };

const seventeen: Contract = { kind: 'answer', pattern: '^17$' };

const ROWS: LeafRow[] = [
  ['answer', seventeen, { answer: '17' }, 'pass', { answer: '17', pattern: '^17$' }],
  ['answer', seventeen, { answer: '170' }, 'fail', { answer: '170', pattern: '^17$' }],
  ['answer, none given', seventeen, { answer: null }, 'fail', { answer: null, pattern: '^17$' }],
  [
    'answer, while the attempt goes on',
    seventeen,
    {},
    'inconclusive',
    { answer: null, pattern: '^17$', reason: 'The agent has not given its final answer yet.' },
  ],
  [
    'network',
    network,
    { network: [a, b, c], markers: { last_tool_call: 10 } },
    'pass',
    { ...seen, matched_count: 2, scanned_count: 3, last_match: c },
  ],
  [
    'network, later only',
    network,
    { network: [a, b], markers: { last_tool_call: 11 } },
    'fail',
    { ...seen, matched_count: 0, scanned_count: 1, last_match: null },
  ],
  [
    'network, nothing yet',
    network,
    { network: [], markers: { last_tool_call: 0 } },
    'fail',
    { ...seen, matched_count: 0, scanned_count: 0, last_match: null },
  ],
  [
    'network, no marker',
    network,
    { network: [a], markers: { contract_enter: 0 } },
    'inconclusive',
    {
      ...seen,
      matched_count: null,
      scanned_count: null,
      last_match: null,
      reason: 'The moment "last_tool_call" was not recorded.',
    },
  ],
  [
    'network, no record',
    network,
    { markers: { last_tool_call: 0 } },
    'inconclusive',
    { ...seen, matched_count: null, scanned_count: null, last_match: null, reason: 'The network was not recorded.' },
  ],
  [
    'no_dialog',
    { kind: 'no_dialog' },
    { dialogs: { open: false, seen: 0 } },
    'pass',
    { dialog_open: false, dialogs_seen: 0 },
  ],
  [
    'no_dialog, dismissed',
    { kind: 'no_dialog' },
    { dialogs: { open: false, seen: 1 } },
    'fail',
    { dialog_open: false, dialogs_seen: 1 },
  ],
  [
    'no_dialog, open',
    { kind: 'no_dialog' },
    { dialogs: { open: true, seen: 0 } },
    'fail',
    { dialog_open: true, dialogs_seen: 0 },
  ],
  [
    'no_dialog',
    { kind: 'no_dialog' },
    {},
    'inconclusive',
    { dialog_open: null, dialogs_seen: null, reason: 'Dialogs were not recorded.' },
  ],
  [
    'performance, newest',
    lcp('ms', 100),
    {
      ts: 2000,
      performance: [
        { metric: 'LCP', value: 90, unit: 'ms', ts: 1500 },
        { metric: 'LCP', value: 200, unit: 'ms', ts: 1400 },
        { metric: 'FCP', value: 900, unit: 'ms', ts: 1900 },
      ],
    },
    'pass',
    { metric: 'LCP', unit: 'ms', op: 'lte', target: 100, observed: 90 },
  ],
  [
    'performance, in seconds',
    lcp('seconds', 2),
    { ts: 2000, performance: [{ metric: 'LCP', value: 2500, unit: 'ms', ts: 1500 }] },
    'fail',
    { metric: 'LCP', unit: 'seconds', op: 'lte', target: 2, observed: 2.5 },
  ],
  [
    'performance, from seconds',
    lcp('ms', 2500),
    { ts: 2000, performance: [{ metric: 'LCP', value: 2.5, unit: 'seconds', ts: 1000 }] },
    'pass',
    { metric: 'LCP', unit: 'ms', op: 'lte', target: 2500, observed: 2500 },
  ],
  [
    'performance, other unit',
    lcp('bytes', 2),
    { ts: 2000, performance: [{ metric: 'LCP', value: 1, unit: 'ms', ts: 1500 }] },
    'inconclusive',
    {
      metric: 'LCP',
      unit: 'bytes',
      op: 'lte',
      target: 2,
      observed: null,
      reason: 'It was recorded in ms, which is not bytes.',
    },
  ],
  [
    'performance, stale',
    lcp('ms', 100),
    { ts: 2000, performance: [{ metric: 'LCP', value: 90, unit: 'ms', ts: 999 }] },
    'inconclusive',
    {
      metric: 'LCP',
      unit: 'ms',
      op: 'lte',
      target: 100,
      observed: null,
      reason: 'The newest value is 1001 ms old, and 1000 ms is allowed.',
    },
  ],
  [
    'performance, not measured',
    lcp('ms', 100),
    { ts: 2000, performance: [] },
    'inconclusive',
    { metric: 'LCP', unit: 'ms', op: 'lte', target: 100, observed: null, reason: 'This metric was not recorded.' },
  ],
  [
    'performance, no time',
    lcp('ms', 100),
    { performance: [] },
    'inconclusive',
    {
      metric: 'LCP',
      unit: 'ms',
      op: 'lte',
      target: 100,
      observed: null,
      reason: 'The time of the record is not known, so no age is.',
    },
  ],
  [
    'performance, no record',
    lcp('ms', 100),
    { ts: 1 },
    'inconclusive',
    {
      metric: 'LCP',
      unit: 'ms',
      op: 'lte',
      target: 100,
      observed: null,
      reason: 'No performance metrics were recorded.',
    },
  ],
  [
    'console, none',
    errors,
    { ts: 2000, console: [said(1500, false, 'log'), said(999)] },
    'pass',
    { filters, op: 'eq', target: 0, observed: 0 },
  ],
  ['console, one', errors, { ts: 2000, console: [said(1000)] }, 'fail', { filters, op: 'eq', target: 0, observed: 1 }],
  [
    'console, no record',
    errors,
    { ts: 1 },
    'inconclusive',
    { filters, op: 'eq', target: 0, observed: null, reason: 'The console was not recorded.' },
  ],
  [
    'console, no time',
    errors,
    { console: [] },
    'inconclusive',
    { filters, op: 'eq', target: 0, observed: null, reason: 'The time of the record is not known, so no age is.' },
  ],
];

describe('leaves about events', () => {
  testLeaves(ROWS);

  test('console filters apply together', () => {
    const console = [said(1500, true), said(1500, false), said(1500, true, 'error', 'bang'), said(1500, true, 'log')];
    const observed = (filter: object) => {
      const contract = {
        kind: 'console',
        schema_version: 1,
        op: 'eq',
        value: 0,
        max_age_ms: 1000,
        ...filter,
      } as Contract;
      const evidence = evaluateFacts(contract, { ts: 2000, console });
      return evidence.assertion_kind === 'console' && evidence.details.observed;
    };
    expect(
      [
        {},
        { uncaught: true },
        { uncaught: false },
        { type: 'log' },
        { message_pattern: '^bo' },
        { type: 'error', uncaught: true, message_pattern: 'n' },
      ].map(observed),
    ).toEqual([4, 3, 1, 1, 3, 1]);
  });
});

describe('when the allowed work is used up', () => {
  const long = Array.from({ length: 2000 }, (_, i) => ({ url: `https://x/${'a'.repeat(1000)}`, status: 200, ts: i }));
  const contract: Contract = { kind: 'network', url_pattern: 'b[0-9]+$', status_in: [200], since: 'contract_enter' };

  test('a search that is cut short without a match is inconclusive', () => {
    const evidence = evaluateFacts(contract, { network: long, markers: { contract_enter: 0 } });
    expect(evidence).toMatchObject({ verdict: 'inconclusive', details: { matched_count: 0, scanned_count: 2000 } });
  });

  test('a match that was found counts', () => {
    const last = { url: 'https://x/b17', status: 200, ts: 2001 };
    const evidence = evaluateFacts(contract, { network: [...long, last], markers: { contract_enter: 0 } });
    expect(evidence).toMatchObject({ verdict: 'pass', details: { matched_count: 1, last_match: last } });
  });

  test('a count that is cut short decides only where the rest could not change it', () => {
    const console = [
      ...long.map(({ url: text, ts }) => ({ type: 'log', text, uncaught: false, ts })),
      said(2000, false, 'log', 'b1'),
    ];
    const verdicts = (['eq', 'gte', 'lte'] as const).flatMap((op) =>
      [0, 1, 5000].map(
        (value) =>
          evaluateFacts(
            { kind: 'console', schema_version: 1, message_pattern: 'b[0-9]+$', op, value, max_age_ms: 1e6 },
            { ts: 2000, console },
          ).verdict,
      ),
    );
    expect(verdicts).toEqual(['fail', 'inconclusive', 'fail', 'pass', 'pass', 'fail', 'fail', 'inconclusive', 'pass']);
  });
});
