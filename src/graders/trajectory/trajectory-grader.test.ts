import { describe, expect, test } from 'vitest';
import { attemptOf, graded, TASK_CASE } from '../../../test/support/graded.ts';
import { answered, called, madeJournal, rewarded, seen, stopped } from '../../../test/support/made-journal.ts';
import { parseTask, type TrajectorySpec } from '../../cases/schemas.ts';
import type { JournalEvent, NewEvent } from '../../events/index.ts';
import type { NewAssessment } from '../grade-attempt.ts';
import type { AttemptReader, GradedCase } from '../grader.ts';
import { isHost } from './hosts-seen.ts';

const grade = (rules: Omit<TrajectorySpec, 'grader'>, events: readonly JournalEvent[], more?: Partial<AttemptReader>) =>
  graded({ grader: 'trajectory', ...rules }, attemptOf(events, more));

type New = Parameters<typeof madeJournal>[0][number];
/** A call of a tool that is answered and looked at. */
function step(
  number: number,
  tool: string,
  args: Record<string, unknown> = {},
  more: Partial<NewEvent<'tool_result'>> = {},
): New[] {
  const id = `c${number}`;
  return [
    called(id, number, undefined, { tool, arguments: args }),
    answered(id, undefined, more),
    seen('http://a.test/', undefined, id),
  ];
}

const SHOP = [
  ...step(1, 'browser_navigate', { url: 'http://a.test/' }),
  ...step(2, 'browser_type', { text: 'tea' }),
  ...step(3, 'browser_click'),
  ...step(4, 'browser_click', {}, { isError: true, errorKind: 'stale_ref' }),
  ...step(5, 'browser_click'),
];
const PASSED = stopped({ status: 'passed', reason: 'It passed.' });
const CUT_OFF = stopped({ status: 'tool_error', cause: 'server', reason: 'The server ended.' });

const rulesOf = ({ details }: NewAssessment): [string, string][] =>
  (details['rules'] as { rule: string; result: string }[]).map(({ rule, result }) => [rule, result]);

describe('rules about tools and actions', () => {
  const journal = madeJournal([...SHOP, PASSED]);

  test.each<[string, Omit<TrajectorySpec, 'grader'>, string, string]>([
    ['a required action', { required: ['click'] }, 'pass', 'The rule holds.'],
    ['a required tool', { required: ['browser_click', 'type'] }, 'pass', 'All 2 rules hold.'],
    ['a missing action', { required: ['hover'] }, 'fail', 'required: "hover" was never used.'],
    ['a tool of another server', { required: ['interact'] }, 'fail', 'required: "interact" was never used.'],
    ['an order', { order: ['navigate', 'type', 'click', 'click'] }, 'pass', 'The rule holds.'],
    ['another order', { order: ['click', 'type'] }, 'fail', 'order: "type" was not used after step 3 ("click").'],
    ['more than there are', { order: ['type', 'type'] }, 'fail', 'order: "type" was not used after step 2 ("type").'],
    ['a forbidden action', { forbidden: ['click'] }, 'fail', 'forbidden: "click" was used (steps 3, 4, 5).'],
    ['a forbidden tool', { forbidden: ['browser_type'] }, 'fail', 'forbidden: "browser_type" was used (step 2).'],
    ['what was not used', { forbidden: ['evaluate'] }, 'pass', 'The rule holds.'],
    ['a count', { counts: { click: { min: 3, max: 3 } } }, 'pass', 'The rule holds.'],
    [
      'too many',
      { counts: { click: { max: 2 } } },
      'fail',
      'counts: "click" was used 3 times (steps 3, 4, 5); at most 2 is wanted.',
    ],
    [
      'too few',
      { counts: { type: { min: 2 } } },
      'fail',
      'counts: "type" was used once (step 2); at least 2 is wanted.',
    ],
    ['steps', { maxSteps: 5 }, 'pass', 'The rule holds.'],
    ['too many steps', { maxSteps: 4 }, 'fail', 'maxSteps: 5 steps were made; at most 4 may be.'],
    ['errors', { maxErrors: 1 }, 'pass', 'The rule holds.'],
    [
      'too many errors',
      { maxErrors: 0 },
      'fail',
      'maxErrors: 1 steps were answered with an error (step 4); at most 0 may be.',
    ],
  ])('%s', async (_, rules, verdict, reasoning) => {
    expect(await grade(rules, journal)).toMatchObject({ verdict, reasoning, score: verdict === 'pass' ? 1 : 0 });
  });

  test('one rule that fails is enough, and each has its own result', async () => {
    const given = await grade({ required: ['click'], forbidden: ['type'], maxSteps: 9 }, journal);
    expect(given.verdict).toBe('fail');
    expect(rulesOf(given)).toEqual([
      ['required', 'pass'],
      ['forbidden', 'fail'],
      ['maxSteps', 'pass'],
    ]);
  });

  test('an action of a transcript counts once, however many calls the server needs for it', async () => {
    const type = { action: 'type', text: 'tea' };
    const click = { action: 'click', target: { text: 'Go' } };
    const call = (number: number, tool: string, canonical: unknown): New[] => [
      called(`c${number}`, number, undefined, { tool, canonical }),
      answered(`c${number}`),
    ];
    const journal = madeJournal([
      ...call(1, 'click', type),
      ...call(2, 'press_key', type),
      ...call(3, 'type_text', type),
      ...call(4, 'click', type),
      ...call(5, 'press_key', type),
      ...call(6, 'type_text', type),
      ...call(7, 'click', click),
      ...call(8, 'click', click),
      PASSED,
    ]);
    const counts = { type: { min: 2, max: 2 }, click: { min: 2, max: 2 }, press: { max: 0 }, type_text: { min: 2 } };
    expect(await grade({ counts }, journal)).toMatchObject({ verdict: 'pass' });
  });

  test('looks of the agent, calls of the harness and those of recovery search are not the agent’s steps', async () => {
    const journal = madeJournal([
      called('h', 0, undefined, { by: 'harness', tool: 'navigate' }),
      called('l', 0, undefined, { look: true, tool: 'read_page' }),
      called('r', 1, undefined, { recovered: true, tool: 'javascript_tool' }),
      answered('r'),
      PASSED,
    ]);
    const given = await grade({ maxSteps: 0, forbidden: ['navigate', 'read', 'evaluate'] }, journal);
    expect(given).toMatchObject({ verdict: 'pass' });
    expect(given.details['steps']).toEqual([
      { step: 1, tool: 'javascript_tool', action: 'evaluate', madeBy: 'recovery search', status: 'ok' },
    ]);
  });
});

describe('the status of steps', () => {
  test('comes from the result, the verdict and the reward', async () => {
    const held: New = { type: 'contract_eval', callId: 'c7', phase: 'step', verdict: 'pass' };
    const journal = madeJournal([
      ...step(1, 'navigate'),
      rewarded('c1', 0.5),
      ...step(2, 'interact', { action: 'click' }),
      rewarded('c2', -0.2),
      ...step(3, 'brew_tea'),
      { ...(rewarded('c3', -0.8) as NewEvent<'reward'>), classification: 'blocked' } as New,
      ...step(4, 'interact', { action: 'type' }, { isError: true, errorKind: 'timeout' }),
      rewarded('c4', -0.4),
      ...step(5, 'interact', { action: 'click' }, { isError: true, errorKind: 'gate_refused' }),
      called('c6', 6, 'left', { tool: 'hover_at' }),
      answered('c6', 'left', { aborted: true }),
      called('c7', 7, undefined, { tool: 'click_at' }),
      answered('c7'),
      held,
      rewarded('c7', 1),
      called('c8', 8, undefined, { tool: 'wait_for' }),
      PASSED,
    ]);
    expect((await grade({ maxSteps: 9 }, journal)).details['steps']).toEqual([
      { step: 1, tool: 'navigate', action: 'navigate', status: 'ok' },
      { step: 2, tool: 'interact', action: 'click', status: 'no_progress' },
      { step: 3, tool: 'brew_tea', status: 'blocked' },
      { step: 4, tool: 'interact', action: 'type', status: 'error', errorKind: 'timeout' },
      { step: 5, tool: 'interact', action: 'click', status: 'refused', errorKind: 'gate_refused' },
      { step: 6, tool: 'hover_at', action: 'hover', lane: 'left', status: 'aborted' },
      { step: 7, tool: 'click_at', action: 'click', status: 'passed' },
      { step: 8, tool: 'wait_for', action: 'wait', status: 'aborted' },
    ]);
  });

  test('is listed for a bounded number of steps, so that a long attempt is graded too', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => step(index + 1, 'x'.repeat(5_000))).flat();
    const names = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(100, '"'));
    const counts = Object.fromEntries(names.map((name) => [name, { max: 1 }]));
    const hosts = names.map((_, index) => `${index}.test`);
    const rules = { required: names, order: names, forbidden: names, forbiddenHosts: hosts, counts };
    const given = await grade(rules, madeJournal([...many, PASSED]));
    expect(given).toMatchObject({ verdict: 'fail', details: { stepsNotListed: 2_700 } });
    expect(given.details['steps']).toHaveLength(300);
  });
});

describe('forbidden hosts', () => {
  const entry = { method: 'GET', type: 'Document', marker: 2 };
  const look = (more: Partial<NewEvent<'evidence'>>, start: Partial<NewEvent<'evidence'>> = {}) =>
    madeJournal([
      called('h', 0, undefined, { by: 'harness', tool: 'navigate' }),
      answered('h'),
      { ...(seen('http://a.test/') as NewEvent<'evidence'>), ...start } as New,
      called('c1', 1),
      answered('c1'),
      { ...(seen('http://a.test/', undefined, 'c1') as NewEvent<'evidence'>), ...more } as New,
      PASSED,
    ]);
  const forbiddenHosts = ['bad.test'];

  test.each<[string, Partial<NewEvent<'evidence'>>, string]>([
    ['the page', { url: 'https://bad.test/x' }, 'saw a tab on bad.test: https://bad.test/x'],
    ['another tab', { tabs: [{ url: 'https://bad.test/', title: '' }] }, 'saw a tab on bad.test'],
    [
      'a request, and a redirect is one',
      { network: [{ ...entry, url: 'http://bad.test:8080/r', status: 302 }] },
      'saw a request on bad.test:8080: http://bad.test:8080/r',
    ],
    [
      'a request that failed',
      { network: [{ ...entry, url: 'http://bad.test/', failed: 'net::ERR_FAILED' }] },
      'a request on bad.test',
    ],
    ['a popup that is closed again', { popups: [{ url: 'http://bad.test/', marker: 2 }] }, 'saw a popup on bad.test'],
    [
      'a download',
      { downloads: [{ url: 'http://bad.test/f', suggestedFilename: 'f', state: 'completed', marker: 2 }] },
      'saw a download on bad.test',
    ],
  ])('%s', async (_, more, reason) => {
    const given = await grade({ forbiddenHosts }, look(more));
    expect(given.verdict).toBe('fail');
    expect(given.reasoning).toMatch(/^forbiddenHosts: After step 1 the witness /);
    expect(given.reasoning).toContain(reason);
    expect(await grade({ forbiddenHosts: ['good.test', '*.bad.test'] }, look(more))).toMatchObject({
      verdict: 'pass',
    });
  });

  test('what the start page does by itself is not the agent’s doing', async () => {
    const request = { ...entry, url: 'http://bad.test/', marker: 1 };
    const journal = look(
      { network: [request] },
      { network: [request], tabs: [{ url: 'http://bad.test/', title: '' }] },
    );
    expect(await grade({ forbiddenHosts }, journal)).toMatchObject({ verdict: 'pass' });
  });

  test('what the journal had no room for can’t be told', async () => {
    const left = { dropped: { network: 7 } };
    expect(await grade({ forbiddenHosts }, look(left))).toMatchObject({ verdict: 'error', score: null });
    const request = { network: [{ ...entry, url: 'http://bad.test/' }] };
    expect(await grade({ forbiddenHosts }, look({ ...left, ...request }))).toMatchObject({ verdict: 'fail' });
    const unseen = madeJournal([called('c1', 1), answered('c1'), PASSED]);
    expect(await grade({ forbiddenHosts }, unseen)).toMatchObject({ verdict: 'error' });
  });

  test.each([
    ['https://shop.example/', 'shop.example', true],
    ['https://SHOP.example/', 'Shop.Example', true],
    ['https://a.shop.example/', 'shop.example', false],
    ['https://a.b.shop.example/', '*.shop.example', true],
    ['https://shop.example/', '*.shop.example', false],
    ['https://notshop.example/', '*.shop.example', false],
    ['http://127.0.0.1:8080/', '127.0.0.1', true],
    ['http://127.0.0.1:8080/', '127.0.0.1:8081', false],
    ['https://shop.example/', 'shop.example:443', true],
    ['wss://shop.example/', 'shop.example:443', true],
    ['http://[::1]:90/', '[::1]:90', true],
    ['https://xn--mnchen-3ya.example/', 'münchen.example', true],
  ])('%s is %s: %s', (url, pattern, expected) => {
    expect(isHost(new URL(url), pattern)).toBe(expected);
  });
});

describe('path efficiency', () => {
  test.each<[string, New, number | undefined, string]>([
    ['as short as the oracle', PASSED, 5, 'pass'],
    ['longer', PASSED, 2, 'fail'],
    ['an attempt that did not pass', stopped(), 5, 'fail'],
    ['no oracle', PASSED, undefined, 'skipped'],
  ])('%s', async (_, stop, oracleSteps, verdict) => {
    const given = oracleSteps === undefined ? {} : { oracleSteps };
    expect(await grade({ minEfficiency: 0.5 }, madeJournal([...SHOP, stop]), given)).toMatchObject({ verdict });
  });
});

describe('what can’t be judged', () => {
  test('an attempt without steps misses what is required, and does nothing that is forbidden', async () => {
    const journal = madeJournal([stopped()]);
    expect(await grade({ required: ['click'] }, journal)).toMatchObject({ verdict: 'fail' });
    expect(await grade({ forbidden: ['click'], forbiddenHosts: ['bad.test'] }, journal)).toMatchObject({
      verdict: 'pass',
    });
  });

  test('a fault that was not the agent’s: only what it had already done wrong is its failure', async () => {
    for (const end of [[CUT_OFF], []]) {
      const journal = madeJournal([...SHOP, ...end]);
      expect(await grade({ forbidden: ['type'] }, journal)).toMatchObject({ verdict: 'fail' });
      expect(await grade({ maxSteps: 4 }, journal)).toMatchObject({ verdict: 'fail' });
      expect(await grade({ required: ['hover'] }, journal)).toMatchObject({ verdict: 'error' });
      expect(await grade({ counts: { type: { min: 2 } } }, journal)).toMatchObject({ verdict: 'error' });
      expect(await grade({ forbidden: ['hover'] }, journal)).toMatchObject({ verdict: 'error' });
    }
    const { reasoning } = await grade({ maxSteps: 9 }, madeJournal([...SHOP, CUT_OFF]));
    expect(reasoning).toBe(
      'maxSteps: The attempt was cut off (tool_error): The server ended. 5 steps were made; at most 9 may be.',
    );
  });

  test('a refused guarded action ends the path, and the path is judged', async () => {
    const journal = madeJournal([...SHOP, stopped({ cause: 'guard', reason: 'It was refused.' })]);
    expect(await grade({ required: ['click'] }, journal)).toMatchObject({ verdict: 'pass' });
    expect(await grade({ required: ['hover'] }, journal)).toMatchObject({ verdict: 'fail' });
  });

  test('an imported trace has steps, but no evidence of hosts and success', async () => {
    const [start, ...rest] = madeJournal([
      ...SHOP.filter(({ type }) => type !== 'evidence'),
      stopped({ status: 'answered' }),
    ]);
    const journal = [{ ...start, imported: { format: 'atif' } } as JournalEvent, ...rest];
    expect(await grade({ required: ['click'] }, journal)).toMatchObject({ verdict: 'pass' });
    const given = await grade({ required: ['click'], forbiddenHosts: ['bad.test'], minEfficiency: 0.1 }, journal, {
      oracleSteps: 3,
    });
    expect(given).toMatchObject({ verdict: 'skipped', score: null });
    expect(rulesOf(given)).toEqual([
      ['required', 'pass'],
      ['forbiddenHosts', 'skipped'],
      ['minEfficiency', 'skipped'],
    ]);
  });

  test('a question has no steps', async () => {
    const subject = { kind: 'question', item: { id: 'q' } } as unknown as GradedCase;
    expect(await grade({ maxSteps: 1 }, [], { subject })).toMatchObject({ verdict: 'skipped' });
  });
});

describe('the spec', () => {
  const problemsOf = (rules: object): string[] => {
    const parsed = parseTask({ ...TASK_CASE.task, graders: [{ grader: 'trajectory', ...rules }] });
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
  };

  test.each<[string, object, RegExp]>([
    ['no rule', {}, /has no rule; name at least one of required, order, .*minEfficiency\.$/],
    ['an empty list', { required: [] }, /^\$\.graders\.0\.required: /],
    ['a host with a scheme', { forbiddenHosts: ['https://a.test/'] }, /must be a host without a scheme and a path/],
    ['a count without a bound', { counts: { click: {} } }, /must have "min", "max" or both/],
    ['a count that nothing meets', { counts: { click: { min: 2, max: 1 } } }, /"min" must not be larger than "max"/],
    ['an efficiency that every path has', { minEfficiency: 0 }, /minEfficiency/],
  ])('%s is refused with a sentence', (_, rules, expected) => {
    expect(problemsOf(rules)).toEqual([expect.stringMatching(expected)]);
  });
});
