import { expect, test } from 'vitest';
import type { ToolResult } from '../connect/tool-client.ts';
import { profileOf } from '../profiles/profile-of.ts';
import type { CanonicalAction } from './action.ts';
import { newRenderContext } from './plan.ts';
import { render } from './render.ts';

const answer = (text: string): ToolResult => ({
  isError: false,
  text,
  texts: [text],
  blocks: ['text'],
  images: [],
  durationMs: 1,
});
type Argument = { type: string; items?: { type: string } };
const string = { type: 'string' };
const tool = (name: string, properties: Record<string, Argument>, required: string[] = []) => ({
  name,
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
});

/** The calls of an action on a server that lists these tools, with answers that are given beforehand. */
function calls(server: string, tools: ReturnType<typeof tool>[], action: CanonicalAction, answers: string[] = []) {
  const plan = render(action, profileOf(server), newRenderContext({ tools }));
  const made: string[] = [];
  let next = plan.next();
  while (!next.done) {
    made.push(`${next.value.tool} ${JSON.stringify(next.value.args)}`);
    next = plan.next(answer(answers.shift() ?? 'ok'));
  }
  return { made, end: next.value };
}

const OLD_PLAYWRIGHT = [
  tool('browser_snapshot', {}),
  tool('browser_click', { element: string, ref: string }, ['element', 'ref']),
  tool('browser_evaluate', { function: string, element: string, ref: string }, ['function']),
  tool('browser_mouse_click_xy', { element: string, x: { type: 'number' }, y: { type: 'number' } }, ['element']),
  tool('browser_tabs', { action: string }, ['action']),
  tool('browser_navigate', { url: string }, ['url']),
];
const snapshot =
  '```yaml\n- generic [ref=e1]:\n  - button "One" [ref=e2]\n  - button "Two" [ref=e3]\n  - iframe [ref=e4]:\n    - button "Go" [ref=f1e2]\n  - button "Go" [ref=e5]\n```';
const compared = (index: number, side: string, words: string[] = [], rest: string | null = null): string =>
  `### Result\n${JSON.stringify({ index, rest, words, side })}\n\n### Ran Playwright code\n`;

test('playwright with refs only: an element of the snapshot by its ref', () => {
  const { made } = calls('playwright', OLD_PLAYWRIGHT, { action: 'click', target: { text: 'Two' } }, [snapshot]);
  expect(made).toEqual(['browser_snapshot {}', 'browser_click {"element":"text \\"Two\\"","ref":"e3"}']);
});

test('playwright with refs only: a selector is searched by comparing elements, document by document', () => {
  const { made } = calls('playwright', OLD_PLAYWRIGHT, { action: 'click', target: { selector: 'iframe >>> #go' } }, [
    snapshot,
    compared(-1, 'after'),
    compared(-1, 'before'),
    compared(0, 'after', [], '#go'),
    compared(0, 'after'),
  ]);
  expect(made.slice(1, -1).map((call) => /"ref":"(\w+)"/.exec(call)?.[1])).toEqual(['e3', 'e5', 'e4', 'f1e2']);
  expect(made.at(-1)).toBe('browser_click {"element":"element \\"iframe >>> #go\\"","ref":"f1e2"}');
});

test('playwright with refs only: elements with the name of the selected one are compared first', () => {
  const { made } = calls('playwright', OLD_PLAYWRIGHT, { action: 'click', target: { selector: '#x', nth: 2 } }, [
    snapshot,
    compared(-1, 'before', ['One']),
    compared(0, 'after'),
  ]);
  expect(made.map((call) => /"ref":"(\w+)"/.exec(call)?.[1])).toEqual([undefined, 'e3', 'e2', 'e2']);
  expect(made[1]).toContain('"#x\\"');
});

test('playwright: an element that no snapshot shows has no ref, and the plan says so', () => {
  const nowhere = [snapshot, ...Array.from({ length: 5 }, () => compared(-1, 'before'))];
  expect(calls('playwright', OLD_PLAYWRIGHT, { action: 'click', target: { selector: '#x' } }, nowhere).end).toEqual({
    status: 'unsupported',
    sentence:
      'The element "#x" is on the page, but this version of @playwright/mcp shows it in no snapshot, so it has no ref.',
  });
});

test('playwright: what a version does anyway is not sent, and what it can not do is said', () => {
  const click: CanonicalAction = { action: 'click', target: { at: [1, 2] } };
  expect(calls('playwright', OLD_PLAYWRIGHT, click).made).toEqual([
    'browser_mouse_click_xy {"x":1,"y":2,"element":"the page at a point"}',
  ]);
  expect(calls('playwright', OLD_PLAYWRIGHT, { ...click, button: 'right' }).end).toEqual({
    status: 'unsupported',
    sentence: 'The tool "browser_mouse_click_xy" of this version of the server takes no "button".',
  });
  expect(calls('playwright', OLD_PLAYWRIGHT, { action: 'press', key: 'Enter' }).end).toEqual({
    status: 'unsupported',
    sentence: 'This version of the server has no tool "browser_press_key".',
  });
  expect(calls('playwright', OLD_PLAYWRIGHT, { action: 'tab', operation: 'new', url: 'http://a.test/' }).made).toEqual([
    'browser_tabs {"action":"new"}',
    'browser_navigate {"url":"http://a.test/"}',
  ]);
});

const OLD_DEVTOOLS = [
  tool('list_pages', {}),
  tool('select_page', { pageIdx: { type: 'number' } }, ['pageIdx']),
  tool('take_snapshot', {}),
  tool('click', { uid: string }, ['uid']),
  tool('press_key', { key: string }, ['key']),
  tool('evaluate_script', { function: string, args: { type: 'array', items: { type: 'object' } } }, ['function']),
  tool('wait_for', { text: string, timeout: { type: 'integer' } }, ['text']),
  tool('upload_file', { uid: string, filePath: string }, ['uid', 'filePath']),
];
const pages = '## Pages\n0: http://a.test/ [selected]\n1: http://b.test/';

test('chrome-devtools without page numbers, with one text, one file, and elements as objects', () => {
  const made = (action: CanonicalAction) => calls('chrome-devtools', OLD_DEVTOOLS, action, [pages]).made.slice(1);
  expect(made({ action: 'tab', operation: 'select', url: 'b.test' })).toEqual(['select_page {"pageIdx":1}']);
  expect(made({ action: 'click', target: { ref: '1_2' } })).toEqual(['click {"uid":"1_2"}']);
  expect(made({ action: 'scroll', target: { ref: '1_2' } })[0]).toMatch(
    /^evaluate_script .*"args":\[\{"uid":"1_2"\}\]/,
  );
  expect(made({ action: 'upload', target: { ref: '1_2' }, files: ['/a'] })).toEqual([
    'upload_file {"uid":"1_2","filePath":"/a"}',
  ]);
  expect(made({ action: 'wait', text: 'Hello' })).toEqual(['wait_for {"timeout":10000,"text":"Hello"}']);
});

test('chrome-devtools without a tool that types: one key after the other', () => {
  const type: CanonicalAction = { action: 'type', target: { ref: '1_2' }, text: 'a b', append: true, submit: true };
  expect(calls('chrome-devtools', OLD_DEVTOOLS, type, [pages]).made.slice(1)).toEqual([
    'click {"uid":"1_2"}',
    ...['Control+End', 'a', 'Space', 'b', 'Enter'].map((key) => `press_key {"key":"${key}"}`),
  ]);
});
