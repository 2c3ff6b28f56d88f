import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../connect/tool-client.ts';
import { profileOf } from '../profiles/profile-of.ts';
import type { CanonicalAction } from './action.ts';
import { ACTION_NAMES, actionOfCall } from './action-of-call.ts';
import { render } from './render.ts';

const ID = 'A'.repeat(32);
/** One text that every renderer finds a tab, a box and an element in. */
const TEXT = `${ID}\n## Pages\n1: a (http://a.test/) [selected]\n[1,2,3,4]`;
const ANSWER: ToolResult = { isError: false, text: TEXT, texts: [TEXT], blocks: ['text'], images: [], durationMs: 1 };
const at = { at: [1, 2] as [number, number] };
const field = { selector: '#a' };

const ACTIONS: CanonicalAction[] = [
  { action: 'navigate', url: 'http://a.test/' },
  { action: 'read' },
  { action: 'screenshot' },
  { action: 'click', target: at },
  { action: 'type', text: 'x' },
  { action: 'select', target: field, options: ['x'] },
  { action: 'press', key: 'Enter' },
  { action: 'scroll', direction: 'down' },
  { action: 'drag', target: at, to: at },
  { action: 'hover', target: at },
  { action: 'wait', text: 'x' },
  { action: 'evaluate', expression: '1' },
  { action: 'handle_dialog', accept: true },
  { action: 'upload', target: field, files: ['/a'] },
  { action: 'tab', operation: 'new' },
];

/** The actions of the calls that an action is rendered into; undefined where the server has no way to do it. */
function back(server: Parameters<typeof profileOf>[0], action: CanonicalAction) {
  const tools = new Set(['browser_mouse_click_xy', 'browser_mouse_wheel', 'click_at']);
  const plan = render(action, profileOf(server), { tools });
  const actions: (string | undefined)[] = [];
  let next = plan.next();
  while (!next.done) {
    if (next.value.purpose === 'act') actions.push(actionOfCall(next.value.tool, next.value.args));
    next = plan.next(ANSWER);
  }
  return next.value.status === 'done' ? actions : undefined;
}

describe('actionOfCall', () => {
  test('knows every canonical action', () => {
    expect(ACTIONS.map(({ action }) => action)).toEqual(ACTION_NAMES);
  });

  // Left out: what a server does with a tool for something else (a script, a field that takes everything), or does not do at a point.
  test.each<[Parameters<typeof profileOf>[0], string[]]>([
    ['embedded', ['upload']],
    ['playwright', []],
    ['chrome-devtools', ['select', 'scroll', 'drag', 'hover', 'upload']],
    [{ server: 'openchrome', command: ['x'] }, ['select', 'drag', 'handle_dialog']],
  ])('finds the action in a call that it was rendered into: %j', (server, others) => {
    for (const action of ACTIONS) {
      const found = back(server, action)?.includes(action.action) ?? false;
      expect(found, action.action).toBe(!others.includes(action.action));
    }
  });

  test('reads the argument of a tool that does many things', () => {
    expect(actionOfCall('computer', { action: 'triple_click' })).toBe('click');
    expect(actionOfCall('computer', { action: 'scroll_to' })).toBe('scroll');
    expect(actionOfCall('act', { kind: 'drag_at' })).toBe('drag');
    expect(actionOfCall('computer', {})).toBeUndefined();
    expect(actionOfCall('interact', { query: 'Go' })).toBe('click');
  });

  test('says nothing of a tool that it does not know', () => {
    expect(actionOfCall('brew_tea', { action: 'click' })).toBeUndefined();
    expect(actionOfCall('constructor', null)).toBeUndefined();
  });
});
