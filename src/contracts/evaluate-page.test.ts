import { describe } from 'vitest';
import { type LeafRow, testLeaves } from '../../test/support/test-leaves.ts';
import type { Contract } from './schema.ts';

const url: Contract = { kind: 'url', pattern: '/done$' };
const text: Contract = { kind: 'dom_text', selector: 'h1', contains: 'Thank' };
const count = (op: 'eq' | 'gte' | 'lte', value: number): Contract => ({ kind: 'dom_count', selector: 'li', op, value });

const ROWS: LeafRow[] = [
  ['url', url, { url: 'https://x/done' }, 'pass', { url: 'https://x/done', pattern: '/done$' }],
  ['url', url, { url: 'https://x/' }, 'fail', { url: 'https://x/', pattern: '/done$' }],
  ['url', url, {}, 'inconclusive', { url: null, pattern: '/done$', reason: 'The URL was not recorded.' }],
  [
    'url',
    url,
    { url: `data:${'x'.repeat(3e6)}/done` },
    'inconclusive',
    {
      url: `data:${'x'.repeat(2043)}`,
      pattern: '/done$',
      reason: 'The text is so long that searching it with this pattern would take more than the allowed work.',
    },
  ],
  [
    'dom_text',
    text,
    { domText: { h1: 'Thank you' } },
    'pass',
    { selector: 'h1', contains: 'Thank', text_preview: 'Thank you', text_length: 9 },
  ],
  [
    'dom_text',
    text,
    { domText: { h1: 'thank you' } },
    'fail',
    { selector: 'h1', contains: 'Thank', text_preview: 'thank you', text_length: 9 },
  ],
  [
    'dom_text, nothing matches',
    text,
    { domText: { h1: null } },
    'fail',
    { selector: 'h1', contains: 'Thank', text_preview: null, text_length: 0 },
  ],
  [
    'dom_text, long',
    text,
    { domText: { h1: `${'x'.repeat(300)}Thank` } },
    'pass',
    { selector: 'h1', contains: 'Thank', text_preview: 'x'.repeat(240), text_length: 305 },
  ],
  [
    'dom_text, digest',
    text,
    { domText: { h1: { preview: 'x', length: 305, contains: { Thank: true } } } },
    'pass',
    { selector: 'h1', contains: 'Thank', text_preview: 'x', text_length: 305 },
  ],
  [
    'dom_text, other digest',
    text,
    { domText: { h1: { preview: 'x', length: 305, contains: { x: true } } } },
    'inconclusive',
    {
      selector: 'h1',
      contains: 'Thank',
      text_preview: 'x',
      text_length: 305,
      reason: 'Only the beginning of the text was recorded, not whether it contains this.',
    },
  ],
  [
    'dom_text of the body',
    { kind: 'dom_text', contains: 'x' },
    { domText: { body: 'x' } },
    'pass',
    { selector: 'body', contains: 'x', text_preview: 'x', text_length: 1 },
  ],
  [
    'dom_text, empty',
    { kind: 'dom_text', contains: '' },
    { domText: { body: '' } },
    'pass',
    { selector: 'body', contains: '', text_preview: '', text_length: 0 },
  ],
  [
    'dom_text',
    text,
    { domText: { h2: 'Thank' } },
    'inconclusive',
    {
      selector: 'h1',
      contains: 'Thank',
      text_preview: null,
      text_length: null,
      reason: 'The text of this selector was not recorded.',
    },
  ],
  [
    'dom_text, inherited',
    { kind: 'dom_text', selector: 'constructor', contains: '' },
    { domText: {} },
    'inconclusive',
    {
      selector: 'constructor',
      contains: '',
      text_preview: null,
      text_length: null,
      reason: 'The text of this selector was not recorded.',
    },
  ],
  [
    'dom_text, one selector failed',
    text,
    { domText: {}, unavailable: { dom: 'no', 'dom:h1': 'The frame is gone.' } },
    'inconclusive',
    { selector: 'h1', contains: 'Thank', text_preview: null, text_length: null, reason: 'The frame is gone.' },
  ],
  [
    'dom_count eq',
    count('eq', 2),
    { domCount: { li: 2 } },
    'pass',
    { selector: 'li', op: 'eq', target: 2, observed: 2 },
  ],
  [
    'dom_count eq',
    count('eq', 2),
    { domCount: { li: 3 } },
    'fail',
    { selector: 'li', op: 'eq', target: 2, observed: 3 },
  ],
  [
    'dom_count eq 0',
    count('eq', 0),
    { domCount: { li: 0 } },
    'pass',
    { selector: 'li', op: 'eq', target: 0, observed: 0 },
  ],
  [
    'dom_count gte',
    count('gte', 2),
    { domCount: { li: 2 } },
    'pass',
    { selector: 'li', op: 'gte', target: 2, observed: 2 },
  ],
  [
    'dom_count gte',
    count('gte', 2),
    { domCount: { li: 1 } },
    'fail',
    { selector: 'li', op: 'gte', target: 2, observed: 1 },
  ],
  [
    'dom_count lte',
    count('lte', 2),
    { domCount: { li: 2 } },
    'pass',
    { selector: 'li', op: 'lte', target: 2, observed: 2 },
  ],
  [
    'dom_count lte',
    count('lte', 2),
    { domCount: { li: 3 } },
    'fail',
    { selector: 'li', op: 'lte', target: 2, observed: 3 },
  ],
  [
    'dom_count',
    count('eq', 0),
    { unavailable: { dom: 'The page hangs.' } },
    'inconclusive',
    { selector: 'li', op: 'eq', target: 0, observed: null, reason: 'The page hangs.' },
  ],
];

describe('leaves about the page', () => {
  testLeaves(ROWS);
});
