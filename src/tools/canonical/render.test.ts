import { expect, test } from 'vitest';
import type { ToolResult } from '../connect/tool-client.ts';
import { profileOf } from '../profiles/profile-of.ts';
import type { CanonicalAction } from './action.ts';
import type { RenderContext } from './plan.ts';
import { render } from './render.ts';

const answer = (text: string, isError = false): ToolResult => ({
  isError,
  text,
  texts: [text],
  blocks: ['text'],
  images: [],
  durationMs: 1,
});

/** Renders with answers that are given beforehand. */
function rendered(
  server: Parameters<typeof profileOf>[0],
  action: CanonicalAction,
  answers: ToolResult[] = [],
  tools: string[] = [],
) {
  const context: RenderContext = { tools: new Set(tools) };
  const plan = render(action, profileOf(server), context);
  const calls: string[] = [];
  let next = plan.next();
  while (!next.done) {
    calls.push(`${next.value.purpose} ${next.value.tool} ${JSON.stringify(next.value.args)}`);
    next = plan.next(answers.shift() ?? answer('ok'));
  }
  return { calls, end: next.value, context };
}

test('embedded: one call an action', () => {
  expect(
    rendered('embedded', { action: 'click', target: { role: 'button', name: 'Go' }, offset: [1, 2] }),
  ).toMatchObject({
    calls: ['act interact {"action":"click","role":"button","name":"Go","offset":[1,2]}'],
    end: { status: 'done' },
  });
  expect(rendered('embedded', { action: 'click', target: { at: [5, 6] } }).calls).toEqual([
    'act click_at {"coordinate":[5,6]}',
  ]);
  expect(rendered('embedded', { action: 'type', text: 'x' }).calls).toEqual([
    'act interact {"action":"type","selector":":focus","value":"x"}',
  ]);
});

test('playwright: a ref from a snapshot, a selector as it is, a frame by its own word', () => {
  const snapshot = answer('```yaml\n- button "Go" [ref=e7]\n```');
  expect(rendered('playwright', { action: 'click', target: { role: 'button', name: 'Go' } }, [snapshot]).calls).toEqual(
    ['locate browser_snapshot {}', 'act browser_click {"target":"e7","element":"button \\"Go\\""}'],
  );
  expect(rendered('playwright', { action: 'hover', target: { selector: 'iframe.x >>> #a', nth: 2 } }).calls).toEqual([
    'act browser_hover {"target":"iframe.x >> internal:control=enter-frame >> #a >> nth=1","element":"element \\"iframe.x >>> #a\\""}',
  ]);
});

test('openchrome: in the first tab of its list, or without one where it lists none', () => {
  const choice = { server: 'openchrome' as const, command: ['node', 'x.js'] };
  const action = { action: 'navigate', url: 'https://a.test/' } as const;
  const id = 'A'.repeat(32);
  expect(rendered(choice, action, [answer(`{"tabs":[{"tabId":"${id}"}]}`)]).calls).toEqual([
    'locate tabs_context {}',
    `act navigate {"tabId":"${id}","url":"https://a.test/"}`,
  ]);
  const made = rendered(choice, action, [answer('{"tabs":[]}'), answer(`{"tabId":"${id}"}`)]);
  expect(made.calls).toEqual(['locate tabs_context {}', 'act navigate {"url":"https://a.test/"}']);
  expect(made.context.tab).toBe(id);
});

test('an action that fails ends the plan; the caller has seen the result', () => {
  const { calls, end } = rendered('playwright', { action: 'upload', target: { selector: '#f' }, files: ['/a'] }, [
    answer('no such element', true),
  ]);
  expect(calls).toHaveLength(1);
  expect(end).toEqual({ status: 'done' });
});

test('what can not be located is not tried', () => {
  expect(
    rendered('playwright', { action: 'click', target: { text: 'Go' } }, [
      { ...answer('A dialog is open', true), errorKind: 'dialog_open' },
    ]),
  ).toMatchObject({ end: { status: 'failed', kind: 'dialog_open', sentence: 'A dialog is open' } });
});

test('chrome-devtools: the page is asked for once, and remembered', () => {
  const { calls, context } = rendered('chrome-devtools', { action: 'navigate', url: 'http://a.test/' }, [
    answer('## Pages\n1: about:blank\n7: Form (http://a.test/form) [selected]'),
  ]);
  expect(calls).toEqual(['locate list_pages {}', 'act navigate_page {"pageId":7,"type":"url","url":"http://a.test/"}']);
  expect(context.tab).toBe(7);
});

test('openchrome: elements by a script, reached by coordinates', () => {
  const choice = { server: 'openchrome', command: ['node', 'openchrome.js'] } as const;
  const id = 'A'.repeat(32);
  const { calls } = rendered(
    { ...choice, command: [...choice.command] },
    { action: 'click', target: { selector: '#go' } },
    [answer(`tabs: ${id} http://a.test/`), answer('"[10,20,30,40]"')],
  );
  expect(calls[2]).toBe(`act computer {"tabId":"${id}","action":"left_click","coordinate":[25,40]}`);
});

test.each<[Parameters<typeof profileOf>[0], CanonicalAction, string]>([
  [
    'playwright',
    { action: 'click', target: { at: [1, 2] } },
    '@playwright/mcp has tools for coordinates only with --caps vision.',
  ],
  [
    { server: 'openchrome', command: ['x'] },
    { action: 'handle_dialog', accept: true },
    'OpenChrome dismisses dialogs by itself and has no tool to answer them.',
  ],
  [
    { server: 'custom', command: ['x', '{cdpWs}'], attach: 'gate', navigate: { tool: 'go' }, observe: ['look'] },
    { action: 'press', key: 'Enter' },
    'Nothing is known of how custom does "press"; write this step as the server\'s own call, or name its dialect.',
  ],
])('%j can not %j', (server, action, sentence) => {
  const tab = answer(`${'B'.repeat(32)}`);
  expect(rendered(server, action, [tab]).end).toEqual({ status: 'unsupported', sentence });
});

test('browseros: every call names the page, in the words of the tools that it has', () => {
  const choice = {
    server: 'browseros',
    url: 'http://127.0.0.1:9100/mcp',
    cdpAddress: 'http://127.0.0.1:9000',
  } as const;
  const pages = (own: Record<string, unknown>): ToolResult => ({ ...answer(''), structured: { pages: [own] } });
  const type: CanonicalAction = { action: 'type', target: { at: [1, 2] }, text: 'ab' };
  const first = rendered(choice, type, [pages({ pageId: 3, url: 'http://a.test/', title: '' })], ['click_at']);
  expect(first.calls).toEqual([
    'locate list_pages {}',
    'act click_at {"page":3,"x":1,"y":2,"button":"left","clickCount":1}',
    ...['Control+A', 'a', 'b'].map((key) => `act press_key {"page":3,"key":"${key}"}`),
  ]);
  const second = rendered(choice, type, [pages({ page: 3, url: 'http://a.test/' })], ['act', 'tabs']);
  expect(second.calls).toEqual([
    'locate tabs {"action":"list"}',
    'act act {"page":3,"kind":"click_at","x":1,"y":2,"button":"left","clickCount":1}',
    'act act {"page":3,"kind":"press","key":"Control+A"}',
    'act act {"page":3,"kind":"type","text":"ab"}',
  ]);
  const dialog: CanonicalAction = { action: 'handle_dialog', accept: true };
  expect(rendered(choice, dialog, [pages({ page: 3, url: 'http://a.test/' })], ['act']).end).toEqual({
    status: 'unsupported',
    sentence: 'This BrowserOS has no tool for dialogs.',
  });
});
