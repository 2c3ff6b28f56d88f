import { describe, expect, test } from 'vitest';
import { GuardedActions } from './guarded-actions.ts';

const guarded = new GuardedActions(['click Place order', 'click #pay', 'javascript_tool', 'upload']);
const interact = (args: Record<string, unknown>) => ({ tool: 'interact', arguments: args });

describe('a call is guarded', () => {
  test.each<[string, Parameters<GuardedActions['needed']>, string]>([
    ['by its tool', [{ tool: 'javascript_tool', arguments: { code: '1' } }], 'javascript_tool'],
    ['by its own action and selector', [interact({ action: 'click', selector: '#pay' })], 'click #pay'],
    [
      'by its own action and name',
      [interact({ action: 'click', role: 'button', name: ' place ORDER ' })],
      'click Place order',
    ],
    [
      'by the canonical action, whatever the call is',
      [
        { tool: 'browser_click', arguments: { target: 'e4' } },
        { action: 'click', target: { text: 'Place order' } },
      ],
      'click Place order',
    ],
    [
      'by the canonical action alone',
      [
        { tool: 'x', arguments: {} },
        { action: 'upload', files: [] },
      ],
      'upload',
    ],
  ])('%s', (_, call, action) => {
    expect(guarded.needed(...call)).toBe(action);
  });

  test('by a ref, when an answer said what the ref is', () => {
    const looked = new GuardedActions(['interact Place order', 'click Place order']);
    const click = interact({ action: 'click', ref: 'a12' });
    expect(looked.needed(click)).toBeUndefined();
    looked.onAnswer('a1 link "Cart"\na12 button "Place order"\na120 button "Stay"');
    expect(looked.needed(click)).toBe('interact Place order');
    expect(looked.needed(interact({ action: 'click', ref: 'a1' }))).toBeUndefined();
    expect(looked.needed(interact({ action: 'click', ref: 'a120' }))).toBeUndefined();
    // The page was read again: the same ref is something else now.
    looked.onAnswer('a12 link "Help"');
    expect(looked.needed(click)).toBeUndefined();
  });

  test('and others do not', () => {
    expect(guarded.needed(interact({ action: 'hover', selector: '#pay' }))).toBeUndefined();
    expect(guarded.needed(interact({ action: 'click', selector: '#payment' }))).toBeUndefined();
    expect(guarded.needed({ tool: 'read_page', arguments: {} })).toBeUndefined();
    expect(new GuardedActions().needed(interact({ action: 'click', selector: '#pay' }))).toBeUndefined();
  });
});
