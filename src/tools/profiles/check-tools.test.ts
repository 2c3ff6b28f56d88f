import { expect, test } from 'vitest';
import { checkTools } from './check-tools.ts';
import { profileOf } from './profile-of.ts';

const tool = (name: string, properties: Record<string, unknown> = {}, required: string[] = []) => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties, required },
});
const client = (...tools: ReturnType<typeof tool>[]) => ({ name: 'Some', version: '1.2', tools });
const playwright = [
  tool('browser_navigate', { url: {} }, ['url']),
  tool('browser_snapshot'),
  tool('browser_click', { ref: {}, element: {} }, ['ref', 'element']),
  tool('browser_type', { target: {}, text: {} }, ['target', 'text']),
  tool('browser_press_key', { key: {} }),
  tool('browser_evaluate', { function: {}, ref: {}, element: {} }, ['function']),
];

test('a server is accepted whose tools take what the dialect sends, by either name', () => {
  expect(() => checkTools(profileOf('playwright'), client(...playwright))).not.toThrow();
});

test('one that lacks a tool or an argument, or requires one that is not known, is refused in one sentence', () => {
  const others = playwright.filter(
    ({ name }) => !['browser_press_key', 'browser_click', 'browser_type'].includes(name),
  );
  const tools = [
    ...others,
    tool('browser_click', { selector: {} }),
    tool('browser_type', { ref: {}, text: {}, tab: {} }, ['ref', 'text', 'tab']),
  ];
  expect(() => checkTools(profileOf('playwright'), client(...tools))).toThrow(
    expect.objectContaining({
      code: 'tool_server_mismatch',
      message:
        'The server Some 1.2 does not fit the profile playwright: its tool "browser_click" takes no "target" or "ref"; ' +
        'its tool "browser_type" requires "tab", which is not known here; it has no tool "browser_press_key".',
    }),
  );
});

test('a custom server must have the tools that its configuration names', () => {
  const profile = profileOf({
    server: 'custom',
    command: ['my-server', '{cdpWs}'],
    attach: 'gate',
    navigate: { tool: 'go' },
    observe: ['look'],
  });
  expect(() => checkTools(profile, client(tool('look'), tool('go')))).not.toThrow();
  expect(() => checkTools(profile, client(tool('read')))).toThrow(
    'The server Some 1.2 does not fit the profile custom: it has no tool "look"; it has no tool "go".',
  );
});

test('BrowserOS may have either generation of its tools', () => {
  const profile = profileOf({
    server: 'browseros',
    url: 'http://127.0.0.1:9100/mcp',
    cdpAddress: 'http://127.0.0.1:9000',
  });
  const page = { page: {} };
  const second = [
    tool('tabs', { action: {} }),
    tool('navigate', { ...page, action: {}, url: {} }, ['page']),
    tool('snapshot', page, ['page']),
    tool('act', { ...page, kind: {}, x: {}, y: {}, key: {}, text: {} }, ['page', 'kind']),
    tool('evaluate', { ...page, code: {} }, ['page', 'code']),
  ];
  expect(() => checkTools(profile, client(...second))).not.toThrow();
  expect(() => checkTools(profile, client(...second.slice(1)))).toThrow(
    'The server Some 1.2 does not fit the profile browseros: it has no tool "tabs".',
  );
});
