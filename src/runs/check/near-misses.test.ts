import { expect, test } from 'vitest';
import { parseTranscript } from '../../agents/transcript.ts';
import { nearMisses } from './near-misses.ts';

const oracle = parseTranscript(
  {
    format: 'waymark.transcript.v1',
    task: 'order',
    moves: [
      { action: { action: 'read' } },
      { action: { action: 'click', target: { selector: '#cookies' } }, optional: true, expect: { isError: false } },
      { action: { action: 'type', target: { selector: '#pieces' }, text: '3' } },
      { action: { action: 'click', target: { role: 'button', name: 'Add' } } },
      { action: { action: 'click', target: { selector: '#never' } } },
    ],
    answer: 'Order 17',
  },
  'order.json',
);
const about = (changes: Partial<Parameters<typeof nearMisses>[1]>) =>
  nearMisses(oracle, { steps: 4, writes: new Set<number>(), asksForAnswer: false, ...changes }).map(
    (miss) => miss.about,
  );

test('each step that does something is left out once; looks are not, nor are steps that the oracle never made', () => {
  expect(about({})).toEqual([
    'without step 2 (click #cookies)',
    'without step 3 (type #pieces “3”)',
    'with “4” in step 3 (type #pieces “3”)',
    'without step 4 (click Add)',
  ]);
});

test('a step after which the server had taken a write is done twice', () => {
  expect(about({ writes: new Set([4]) })).toContain('with step 4 (click Add) twice');
  const [twice] = nearMisses(oracle, { steps: 4, writes: new Set([4]), asksForAnswer: false }).slice(-1);
  expect(twice?.transcript.moves.map((move) => ('action' in move ? move.action.action : ''))).toEqual([
    'read',
    'click',
    'type',
    'click',
    'click',
    'click',
  ]);
});

test('the answer is wrong and missing, where something looks at it', () => {
  const misses = nearMisses(oracle, { steps: 4, writes: new Set(), asksForAnswer: true }).slice(-2);
  expect(misses.map(({ kind, transcript }) => [kind, transcript.answer])).toEqual([
    ['wrong_answer', 'Order 18'],
    ['no_answer', undefined],
  ]);
});

test('an agent that makes a mistake goes on: nothing is expected of its page', () => {
  const [first] = nearMisses(oracle, { steps: 4, writes: new Set(), asksForAnswer: false });
  expect(first).toMatchObject({ kind: 'dropped_step', step: 2, optional: true, transcript: { answer: 'Order 17' } });
  expect(first?.transcript.moves).toHaveLength(4);
  expect(JSON.stringify(first?.transcript.moves)).not.toMatch(/expect|optional/);
});
