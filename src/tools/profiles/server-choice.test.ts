import { expect, test } from 'vitest';
import { profileOf } from './profile-of.ts';
import { parseServerChoice } from './server-choice.ts';

const CDP = {
  http: 'http://127.0.0.1:5/secret/',
  ws: 'ws://127.0.0.1:5/secret/devtools',
  port: 5,
  chromium: '/servers/1/chromium',
  mcpPort: 20_005,
};
const custom = {
  server: 'custom',
  command: ['my-server', '--browser={cdpWs}'],
  env: { CDP_URL: '{cdpHttp}' },
  attach: 'gate',
  navigate: { tool: 'go' },
  observe: ['look'],
} as const;

test('a name is enough, where nothing has to be said', () => {
  expect(parseServerChoice('playwright')).toEqual({ server: 'playwright' });
  expect(profileOf('embedded')).toMatchObject({ name: 'embedded', attach: 'memory', observe: { tool: 'read_page' } });
});

test('a custom server gets the address where its configuration says', () => {
  const profile = profileOf(parseServerChoice(custom));
  expect(profile.start?.(CDP)).toEqual({
    kind: 'stdio',
    command: 'my-server',
    args: ['--browser=ws://127.0.0.1:5/secret/devtools'],
    env: { CDP_URL: 'http://127.0.0.1:5/secret/' },
  });
  expect(profile).toMatchObject({ name: 'custom', dialect: 'plain', navigate: { tool: 'go', argument: 'url' } });
  expect(profile.observes('look', {})).toBe(true);
  expect(profile.observes('go', {})).toBe(false);
});

test('a server that launches its browser gets a program for it, and one that serves HTTP a port', () => {
  const { command: _, ...rest } = custom;
  const launching = profileOf(parseServerChoice({ ...rest, command: ['my-server'], env: { CHROME: '{chromium}' } }));
  expect(launching).toMatchObject({ launchesBrowser: true, freshProcess: true });
  expect(launching.start?.(CDP)).toMatchObject({ kind: 'stdio', env: { CHROME: '/servers/1/chromium' } });
  const serving = profileOf(
    parseServerChoice({
      ...custom,
      command: ['my-server', '--port={mcpPort}'],
      url: 'http://127.0.0.1:{mcpPort}/mcp',
      startSeconds: 90,
    }),
  );
  expect(serving).toMatchObject({ launchesBrowser: false, freshProcess: false, startMs: 90_000 });
  expect(serving.start?.(CDP)).toMatchObject({
    kind: 'http',
    url: 'http://127.0.0.1:20005/mcp',
    program: { command: 'my-server', args: ['--port=20005'] },
  });
});

test.each([
  ['nope', /server: Invalid/],
  [{ server: 'openchrome' }, /command: /],
  [{ server: 'playwright', port: 5 }, /Unrecognized key: "port"/],
  [{ ...custom, command: ['my-server'], env: {} }, /does not get the address of its browser: use \{cdpHttp\}/],
  [{ ...custom, url: 'http://a.test/mcp' }, /use \{mcpPort\} in command or env and in url/],
  [{ ...custom, package: 'x' }, /give one of command and package/],
  [{ ...custom, command: undefined }, /give a command, a package or a url/],
  [{ ...custom, url: 'ftp://a.test' }, /must be an http or https URL/],
  [{ ...custom, actions: { fly: { tool: 'x' } } }, /actions/],
  [{ ...custom, actions: { click: { tool: 'x' } }, dialect: 'playwright' }, /give one of actions and dialect/],
  [{ ...custom, attach: 'own' }, /needs the CDP address of that browser/],
  [{ ...custom, cdpAddress: 'ws://x' }, /the gate provides the address/],
  [{ ...custom, name: 'My Server' }, /lower-case/],
  [{ ...custom, observe: [] }, /observe: /],
])('%j is refused', (given, message) => expect(() => parseServerChoice(given)).toThrow(message));

test('all problems are reported at once', () => {
  expect(() => parseServerChoice({ ...custom, name: 'X!', observe: [], attach: 'both' })).toThrow(
    /name: .*attach: .*observe: /,
  );
});

test('a call that observes is distinguished from one that acts, by its arguments where necessary', () => {
  const playwright = profileOf('playwright');
  expect(playwright.observes('browser_tabs', { action: 'list' })).toBe(true);
  expect(playwright.observes('browser_tabs', { action: 'new' })).toBe(false);
  expect(playwright.observes('browser_click', {})).toBe(false);
});

test('openchrome is given a port, on which it looks for the browser', () => {
  const profile = profileOf({ server: 'openchrome', command: ['node', 'index.js'] });
  expect(profile).toMatchObject({ openDiscovery: true, attach: 'gate' });
  expect(profile.start?.(CDP)).toMatchObject({
    command: 'node',
    args: ['index.js', 'serve', '--port', '5'],
    env: { OPENCHROME_TOOL_TIER: '3' },
  });
});
