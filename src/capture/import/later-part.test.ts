import { describe, expect, test } from 'vitest';
import type { PlannedItem } from '../archive/plan-item.ts';
import { type ImportedCell, laterPart, textHash } from './later-part.ts';

const T = Date.parse('2026-03-01T12:00:00.000Z');

function item(id: string, said: 'missing' | 'error' | string, second = 0): PlannedItem {
  const status = said === 'missing' || said === 'error' ? said : 'answered';
  const at = new Date(T + second * 1000).toISOString();
  const asked = { id, seq: 1, section: '', prompt_text: `${id}?`, model_label: null, flag: null, repaired: false };
  if (status === 'missing') return { ...asked, status, response: null, error: null, timing: null };
  const timing = { started_at: at, finished_at: at, latency_ms: 0 };
  const error = status === 'error' ? { code: 'aborted', message: 'Stopped.' } : null;
  return { ...asked, status, response: error ? '' : said, error, timing };
}

function cell(id: string, said: 'missing' | 'error' | string, second = 0): [string, ImportedCell] {
  if (said === 'missing') return [id, { id, result: null, attempts: 0, startedAt: null, textHash: null }];
  const result = said === 'error' ? said : 'answered';
  const hash = textHash(result === 'error' ? '' : said);
  return [id, { id, result, attempts: 1, startedAt: T + second * 1000, textHash: hash }];
}

const added = (items: readonly PlannedItem[], cells: readonly [string, ImportedCell][]): string[] | undefined =>
  laterPart(items, new Map(cells))?.map(({ id }) => id);

describe('a capture', () => {
  test('with the same results adds nothing, with an error among them too', () => {
    expect(added([item('a', 'x'), item('b', 'error')], [cell('a', 'x'), cell('b', 'error')])).toEqual([]);
    expect(added([item('a', 'x'), item('b', 'missing')], [cell('a', 'x'), cell('b', 'y')])).toEqual([]);
    expect(added([item('a', 'error')], [cell('a', 'error')])).toEqual([]);
  });

  test('adds what is missing, and answers in the place of errors', () => {
    const cells = [cell('a', 'x'), cell('b', 'error', 1), cell('c', 'missing'), cell('d', 'missing')];
    expect(added([item('a', 'x'), item('b', 'y', 9), item('c', 'error', 10), item('d', 'z', 11)], cells)).toEqual([
      'b',
      'c',
      'd',
    ]);
  });

  test('of an earlier moment takes no answer back', () => {
    expect(added([item('a', 'x'), item('b', 'error', 1)], [cell('a', 'x'), cell('b', 'y', 9)])).toEqual([]);
  });

  test('that shares no result belongs to the run only if it brings an answer that is not there', () => {
    expect(added([item('a', 'missing'), item('b', 'y', 99)], [cell('a', 'x'), cell('b', 'missing')])).toEqual(['b']);
    expect(added([item('a', 'error', 99)], [cell('a', 'x')])).toBeUndefined();
    expect(added([item('a', 'error', 99)], [cell('a', 'error')])).toBeUndefined();
  });

  test.each([
    ['another answer', item('a', 'other')],
    ['the same answer at another time', item('a', 'x', 1)],
  ])('with %s to an item is another capture', (_, result) => {
    expect(added([result, item('b', 'y')], [cell('a', 'x'), cell('b', 'missing')])).toBeUndefined();
  });

  test('with an item that the run does not have is another capture', () => {
    expect(added([item('a', 'x'), item('b', 'missing')], [cell('a', 'x')])).toBeUndefined();
  });
});
