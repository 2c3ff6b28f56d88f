import { describe, expect, test } from 'vitest';
import { parseTask, TASK_LIMITS, type TaskInput } from './task.ts';

const good: TaskInput = {
  id: 'read-heading',
  title: 'Read a heading',
  startUrl: 'https://example.com/',
  goal: 'Read the heading.',
  success: { kind: 'dom_text', selector: 'h1', contains: 'Example' },
};

/** The problems as lines, so that a test reads like what a person sees. */
function problems(input: unknown): string[] {
  const parsed = parseTask(input);
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}
const withField = (changes: object): string[] => problems({ ...good, ...changes });

const WEB = 'must be the address of a web page (http:, https:, data: or about:blank).';
const NAME = 'must be lower-case letters, digits, ".", "_" and "-", and begin with a letter or digit.';
const KINDS =
  'url, dom_text, dom_value, dom_count, network, screenshot_class, no_dialog, script, image_qa, answer, performance, console, and, or, not';
const long = 'x'.repeat(TASK_LIMITS.textLength + 1);

describe('what a task may be', () => {
  test('caps that are left out get their defaults', () => {
    expect(parseTask(good)).toEqual({ ok: true, task: { ...good, maxSteps: 30, maxDurationMs: 120_000 } });
  });

  test('the caps themselves are allowed', () => {
    const caps = { maxSteps: 100, maxDurationMs: 600_000 };
    expect(parseTask({ ...good, ...caps })).toEqual({ ok: true, task: { ...good, ...caps } });
    expect(withField({ maxSteps: 1, maxDurationMs: 1 })).toEqual([]);
  });

  test('every field at once', () => {
    const all: TaskInput = {
      ...good,
      maxSteps: 5,
      maxDurationMs: 10_000,
      setup: { clearCookies: true, viewport: { width: 1280, height: 720 } },
      tags: ['read'],
      network: { mode: 'replay', recording: '../recordings/example.com.json' },
      determinism: {
        seed: 7,
        clock: { start: '2026-01-31T09:00:00Z', mode: 'frozen' },
        timezone: 'Europe/Paris',
        locale: 'de-DE',
        reducedMotion: true,
      },
      oracle: 'oracles/read-heading.json',
      category: 'reading',
      expectedFirstTool: 'read_page',
      secrets: ['SHOP_PASSWORD'],
      guardedActions: ['submit'],
      unsupported: { playwright: 'It has no such tool.' },
    };
    expect(parseTask(all)).toEqual({ ok: true, task: all });
  });

  test.each(['http://fixtures.waymark.test/form', 'https://example.com', 'data:text/html,<h1>Hi</h1>', 'about:blank'])(
    'a start at %s',
    (startUrl) => {
      expect(withField({ startUrl })).toEqual([]);
    },
  );

  test.each(['a', '0', 'local-form-submit', 'v1.2_x', 'x'.repeat(128)])('the id %s', (id) => {
    expect(withField({ id })).toEqual([]);
  });
});

describe('a refusal says where, what is wrong and what is expected', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a string', 'task'],
    ['nothing', undefined],
  ])('%s', (_, input) => {
    expect(problems(input)).toEqual(['$: A task must be an object.']);
  });

  test.each<[string, object, string[]]>([
    ['an empty id', { id: '' }, [`$.id: "id" ${NAME}`]],
    ['upper case', { id: 'Read' }, [`$.id: "id" ${NAME}`]],
    ['a path', { id: '../etc' }, [`$.id: "id" ${NAME}`]],
    ['a hidden file', { id: '.hidden' }, [`$.id: "id" ${NAME}`]],
    ['a long id', { id: 'x'.repeat(129) }, ['$.id: "id" may have 128 characters at most.']],
    ['a number for an id', { id: 7 }, ['$.id: "id" must be a string, not 7.']],
    ['an empty title', { title: '' }, ['$.title: "title" must not be empty.']],
    ['a long title', { title: long }, ['$.title: "title" may have 4096 characters at most.']],
    ['an empty goal', { goal: '' }, ['$.goal: "goal" must not be empty.']],
    ['no address', { startUrl: 'example' }, [`$.startUrl: "startUrl" ${WEB}`]],
    ['the disk', { startUrl: 'file:///etc/passwd' }, [`$.startUrl: "startUrl" ${WEB}`]],
    ['a script', { startUrl: 'javascript:alert(1)' }, [`$.startUrl: "startUrl" ${WEB}`]],
    ['the browser itself', { startUrl: 'chrome://settings' }, [`$.startUrl: "startUrl" ${WEB}`]],
    ['another about: page', { startUrl: 'about:version' }, [`$.startUrl: "startUrl" ${WEB}`]],
    ['no steps', { maxSteps: 0 }, ['$.maxSteps: "maxSteps" must be 1 or more, not 0.']],
    ['negative steps', { maxSteps: -1 }, ['$.maxSteps: "maxSteps" must be 1 or more, not -1.']],
    ['too many steps', { maxSteps: 101 }, ['$.maxSteps: "maxSteps" must be 100 or less, not 101.']],
    ['half a step', { maxSteps: 1.5 }, ['$.maxSteps: "maxSteps" must be a whole number, not 1.5.']],
    ['steps as text', { maxSteps: '5' }, ['$.maxSteps: "maxSteps" must be a whole number, not "5".']],
    ['steps that are no number', { maxSteps: Number.NaN }, ['$.maxSteps: "maxSteps" must be a whole number, not NaN.']],
    ['a cap taken away', { maxSteps: null }, ['$.maxSteps: "maxSteps" must be a whole number, not null.']],
    ['a cap left undefined', { maxSteps: undefined }, ['$.maxSteps: "maxSteps" is missing; expected a whole number.']],
    ['no time', { maxDurationMs: 0 }, ['$.maxDurationMs: "maxDurationMs" must be 1 or more, not 0.']],
    [
      'too much time',
      { maxDurationMs: 600_001 },
      ['$.maxDurationMs: "maxDurationMs" must be 600000 or less, not 600001.'],
    ],
    [
      'endless time',
      { maxDurationMs: Number.POSITIVE_INFINITY },
      ['$.maxDurationMs: "maxDurationMs" must be a whole number, not Infinity.'],
    ],
    ['an unknown field', { maxStep: 5 }, ['$.maxStep: Unknown field "maxStep".']],
    ['one of the setup', { setup: { cookies: true } }, ['$.setup.cookies: Unknown field "cookies".']],
    [
      'one of the viewport',
      { setup: { viewport: { width: 800, height: 600, scale: 2 } } },
      ['$.setup.viewport.scale: Unknown field "scale".'],
    ],
    ['a setup that is none', { setup: 5 }, ['$.setup: "setup" must be an object, not 5.']],
    [
      'a flag that is none',
      { setup: { clearCookies: 'yes' } },
      ['$.setup.clearCookies: "clearCookies" must be true or false, not "yes".'],
    ],
    [
      'cookies to be kept',
      { setup: { clearCookies: false } },
      ['$.setup.clearCookies: "clearCookies" must be true or left out: every attempt starts without cookies.'],
    ],
    [
      'a small viewport without height',
      { setup: { viewport: { width: 99 } } },
      [
        '$.setup.viewport.width: "width" must be 100 or more, not 99.',
        '$.setup.viewport.height: "height" is missing; expected a whole number.',
      ],
    ],
    [
      'determinism that no browser can have',
      { determinism: { seed: 0.5, clock: { start: 'now', mode: 'slow' }, timezone: 'Mars', locale: '?', speed: 2 } },
      [
        '$.determinism.seed: "seed" must be a whole number, not 0.5.',
        '$.determinism.clock.start: "start" must be a time in UTC, such as "2026-01-31T09:00:00Z".',
        '$.determinism.clock.mode: "mode" must be "running" or "frozen".',
        '$.determinism.timezone: "timezone" must be the name of a time zone, such as "Europe/Paris".',
        '$.determinism.locale: "locale" must be a language tag, such as "de-DE".',
        '$.determinism.speed: Unknown field "speed".',
      ],
    ],
    [
      'a huge viewport',
      { setup: { viewport: { width: 800, height: 10_001 } } },
      ['$.setup.viewport.height: "height" must be 10000 or less, not 10001.'],
    ],
    ['tags that are no list', { tags: 'form' }, ['$.tags: "tags" must be a list, not "form".']],
    ['an empty tag', { tags: ['form', ''] }, ['$.tags.1: An entry of "tags" must not be empty.']],
    ['a tag that is no text', { tags: [5] }, ['$.tags.0: An entry of "tags" must be a string, not 5.']],
    ['too many tags', { tags: Array(51).fill('x') }, ['$.tags: "tags" may hold 50 entries at most.']],
    [
      'an unknown mode of the network',
      { network: { mode: 'offline' } },
      ['$.network.mode: "mode" must be one of live, replay, blocked, not "offline".'],
    ],
    [
      'a replay of nothing',
      { network: { mode: 'replay' } },
      ['$.network.recording: "recording" is missing; expected a string.'],
    ],
    [
      'a recording that nobody replays',
      { network: { mode: 'live', recording: 'x.json' } },
      ['$.network.recording: Unknown field "recording".'],
    ],
    ['an oracle that is no path', { oracle: 1 }, ['$.oracle: "oracle" must be a string, not 1.']],
    ['an empty category', { category: '' }, ['$.category: "category" must not be empty.']],
    ['an empty first tool', { expectedFirstTool: '' }, ['$.expectedFirstTool: "expectedFirstTool" must not be empty.']],
    [
      'a secret that is no name',
      { secrets: [{}] },
      ['$.secrets.0: An entry of "secrets" must be a string, not an object.'],
    ],
    [
      'a secret’s value',
      { secrets: ['hunter2!'] },
      ['$.secrets.0: An entry of "secrets" must be the name of an environment variable, and never a value.'],
    ],
    [
      'too many guarded actions',
      { guardedActions: Array(51).fill('x') },
      ['$.guardedActions: "guardedActions" may hold 50 entries at most.'],
    ],
    [
      'a field by its name of version 0.1.0',
      { gates: ['click Send'] },
      ['$.gates: "gates" is called "guardedActions" now.'],
    ],
    ['no reason', { unsupported: { playwright: '' } }, ['$.unsupported.playwright: "playwright" must not be empty.']],
    [
      'reasons that are a list',
      { unsupported: ['x'] },
      ['$.unsupported: "unsupported" must be an object, not a list.'],
    ],
    [
      'a contract that is none',
      { success: 'Example Domain' },
      ['$.success: An assertion must be an object with a "kind", not a string.'],
    ],
    [
      'an unknown kind of contract',
      { success: { kind: 'xpath' } },
      [`$.success.kind: "kind" must be one of ${KINDS}; it is "xpath".`],
    ],
    [
      'a part of a contract, by its path',
      { success: { kind: 'and', children: [{ kind: 'no_dialog' }, { kind: 'url' }] } },
      ['$.success.children.1.pattern: "pattern" is missing; expected a string.'],
    ],
    [
      'an unknown field of a contract',
      { success: { kind: 'no_dialog', strict: true } },
      ['$.success.strict: "no_dialog" has no field "strict"; it has none but "kind".'],
    ],
  ])('%s', (_, changes, lines) => {
    expect(withField(changes)).toEqual(lines);
  });

  test('everything that is missing', () => {
    expect(problems({})).toEqual([
      '$.id: "id" is missing; expected a string.',
      '$.title: "title" is missing; expected a string.',
      '$.startUrl: "startUrl" is missing; expected a string.',
      '$.goal: "goal" is missing; expected a string.',
      '$.success: "success" is missing; expected a contract.',
    ]);
  });

  test('all problems at once, of the task and of its contract', () => {
    expect(withField({ id: 'A', maxSteps: 0, hint: 'x', success: { kind: 'url', pattern: 5 } })).toEqual([
      `$.id: "id" ${NAME}`,
      '$.maxSteps: "maxSteps" must be 1 or more, not 0.',
      '$.hint: Unknown field "hint".',
      '$.success.pattern: "pattern" must be a string, not a number.',
    ]);
  });
});
