import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../connect/tool-client.ts';
import { profileOf } from '../profiles/profile-of.ts';
import { parseServerChoice } from '../profiles/server-choice.ts';
import type { CanonicalAction } from './action.ts';
import type { RenderedCall } from './plan.ts';
import { render, renderCall } from './render.ts';

const says = (text: string): ToolResult => ({
  isError: false,
  text,
  texts: [text],
  blocks: ['text'],
  images: [],
  durationMs: 1,
});
const found = (place: object): ToolResult =>
  says(`Result: "waymark-found:${encodeURIComponent(JSON.stringify(place))}:end"\nConsole: []`);

const profile = profileOf(
  parseServerChoice({
    server: 'custom',
    name: 'mine',
    command: ['mine', '{cdpWs}'],
    attach: 'gate',
    navigate: { tool: 'go' },
    observe: ['look'],
    tabs: { by: 'page-number', argument: 'page', listTool: 'tabs', listArgs: { all: true } },
    actions: {
      click: { tool: 'click', args: { css: '{selector}', page: '{tab}' } },
      type: [
        { tool: 'run', args: { code: 'clear({json:selector})' } },
        { tool: 'type', args: { css: '{selector}', text: '{text}' } },
      ],
      press: { tool: 'key', args: { key: '{key}' } },
      select: { tool: 'choose', args: { css: '{selector}', value: '{value}' } },
      drag: { tool: 'drag', args: { from: ['{x}', '{y}'], to: { x: '{toX}', y: '{toY}' } } },
      hover: { tool: 'hover', args: { id: '{ref}' } },
      handle_dialog: { tool: 'dialog', args: { yes: '{accept}', text: '{promptText}' } },
      evaluate: { tool: 'run', args: { code: 'return {expression}' } },
    },
  }),
);

function rendered(action: CanonicalAction, answers: ToolResult[] = []) {
  const plan = render(action, profile, { tools: new Set() });
  const calls: RenderedCall[] = [];
  let next = plan.next();
  while (!next.done) {
    calls.push(next.value);
    next = plan.next((next.value.purpose === 'locate' ? answers.shift() : undefined) ?? says('ok'));
  }
  return { calls, end: next.value };
}

const acts = (action: CanonicalAction, answers?: ToolResult[]) =>
  rendered(action, answers)
    .calls.filter(({ purpose }) => purpose === 'act')
    .map(({ tool, args }) => ({ tool, args }));

test('an action becomes its calls, with what it names in their places', () => {
  expect(acts({ action: 'type', target: { selector: 'a"b' }, text: 'x {text}', submit: true })).toEqual([
    { tool: 'run', args: { code: 'clear("a\\"b")' } },
    { tool: 'type', args: { css: 'a"b', text: 'x {text}' } },
    { tool: 'key', args: { key: 'Enter' } },
  ]);
  // A text that is only a placeholder keeps the type of its value.
  expect(acts({ action: 'drag', target: { at: [1, 2] }, to: { at: [3, 4] } })).toEqual([
    { tool: 'drag', args: { from: [1, 2], to: { x: 3, y: 4 } } },
  ]);
  expect(acts({ action: 'hover', target: { ref: 'e5' } })).toEqual([{ tool: 'hover', args: { id: 'e5' } }]);
  expect(acts({ action: 'handle_dialog', accept: false, promptText: 'no' })).toEqual([
    { tool: 'dialog', args: { yes: false, text: 'no' } },
  ]);
});

test('the tab is asked for in the server’s list: the one that is marked as current, or the first', () => {
  const list = says('1: Start\n2: Shop [selected]');
  expect(acts({ action: 'click', target: { selector: '#a' } }, [list])).toEqual([
    { tool: 'click', args: { css: '#a', page: 2 } },
  ]);
  expect(acts({ action: 'click', target: { selector: '#a' } }, [says('- 0: Start')])).toMatchObject([
    { args: { page: 0 } },
  ]);
  expect(rendered({ action: 'click', target: { selector: '#a' } }, [says('none')]).end).toMatchObject({
    status: 'failed',
    kind: 'page_gone',
  });
});

test('what the target does not say is looked for in the page, by a call that only observes', () => {
  const { calls } = rendered({ action: 'select', target: { role: 'combobox', name: 'Plan' }, options: ['Standard'] }, [
    found({ selector: 'html > body > select', x: 5, y: 6, values: { Standard: 'std' } }),
  ]);
  expect(calls.map(({ purpose, tool }) => [purpose, tool])).toEqual([
    ['locate', 'run'],
    ['act', 'choose'],
  ]);
  expect(calls[1]?.args).toEqual({ css: 'html > body > select', value: 'std' });
  expect(profile.observes('run', calls[0]?.args ?? {})).toBe(true);
  expect(profile.observes('run', { code: 'return document.title = 1' })).toBe(false);
  expect(profile.observes('tabs', { all: true })).toBe(true);
  expect(profile.observes('tabs', { close: 1 })).toBe(false);
  const missing = rendered({ action: 'select', target: { text: 'x' }, options: ['a'] }, [
    found({ error: 'element not found' }),
  ]);
  expect(missing.end).toEqual({ status: 'failed', kind: 'element_not_found', sentence: 'element not found' });
  const other = rendered({ action: 'select', target: { text: 'x' }, options: ['a'] }, [
    found({ error: 'a frame of another site' }),
  ]);
  expect(other.end).toMatchObject({ status: 'unsupported' });
});

describe('what the map cannot do is unsupported, with the reason', () => {
  const button: CanonicalAction = { action: 'click', target: { selector: '#a' }, button: 'right' };
  test.each<[CanonicalAction, string]>([
    [button, 'The actions of mine do not say how "click" is done with "button".'],
    [
      { action: 'hover', target: { at: [1, 2] } },
      'The action "hover" of mine needs {ref}, which is not known for the point (1, 2).',
    ],
    [
      { action: 'upload', target: { selector: '#f' }, files: ['/x'] },
      `The actions of mine do not say how "upload" is done; add it there, or write this step as the server's own call.`,
    ],
  ])('%j', (action, sentence) => {
    expect(rendered(action).end).toEqual({ status: 'unsupported', sentence });
  });
});

test('a server’s own call gets the current tab where it says {{tab}}', () => {
  const call = { tool: 'open', arguments: { page: '{{tab}}', note: 'tab {{tab}}', deep: [{ id: '{{tab}}' }], n: 1 } };
  const plan = renderCall(call, profile, { tools: new Set() });
  expect(plan.next().value).toEqual({ tool: 'tabs', args: { all: true }, purpose: 'locate' });
  expect(plan.next(says('> 7: here')).value).toEqual({
    tool: 'open',
    args: { page: 7, note: 'tab 7', deep: [{ id: 7 }], n: 1 },
    purpose: 'act',
  });
  const unnamed = renderCall(call, profileOf('embedded'), { tools: new Set(), tab: 'A' });
  expect(unnamed.next().value).toMatchObject({ args: { page: 'A' } });
});
