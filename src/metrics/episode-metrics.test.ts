import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EpisodeMetricsOptions, episodeMetrics } from './episode-metrics.ts';
import type { MetricEvent } from './events.ts';

/** One step in short form. */
interface Told {
  tool?: string;
  args?: unknown;
  observes?: boolean;
  error?: boolean;
  url?: string | undefined;
  state?: string | undefined;
  verdict?: 'pass' | 'fail';
  score?: number;
  classification?: string;
  progress?: string;
}

type Unnumbered<T> = T extends unknown ? Omit<T, 'seq' | 'time'> : never;

/** 100 ms per event, numbered as in the journal. */
const number = (events: Unnumbered<MetricEvent>[]): MetricEvent[] =>
  events.map((event, seq) => ({ ...event, seq, time: seq * 100 }) as MetricEvent);

const episode = (steps: Told[], stop: Unnumbered<MetricEvent> = { type: 'stop', status: 'failed' }): MetricEvent[] =>
  number([
    { type: 'reset', ok: true },
    { type: 'tool_call', tool: 'navigate', by: 'harness' },
    { type: 'tool_result' },
    { type: 'evidence', url: 'u0', state: 's0' },
    { type: 'contract_eval', verdict: 'fail' },
    ...steps.flatMap((step): Unnumbered<MetricEvent>[] => [
      { type: 'tool_call', tool: step.tool ?? 'interact', arguments: step.args, observes: step.observes },
      { type: 'tool_result', isError: step.error ?? false },
      { type: 'evidence', url: 'url' in step ? step.url : 'u0', state: step.state },
      { type: 'contract_eval', verdict: step.verdict ?? 'fail' },
      ...(step.progress === undefined ? [] : [{ type: 'progress' as const, status: step.progress }]),
      ...(step.score === undefined
        ? []
        : [{ type: 'reward' as const, score: step.score, classification: step.classification }]),
      { type: 'screenshot' },
    ]),
    stop,
  ]);
const fold = (steps: Told[], options?: EpisodeMetricsOptions, stop?: Unnumbered<MetricEvent>) =>
  episodeMetrics(episode(steps, stop), options);
const repeat = (n: number, step: Told): Told[] => Array.from({ length: n }, () => step);

describe('counts', () => {
  it('steps are calls of the agent, tool calls are all calls, errors are those that the server returned', () => {
    const metrics = fold([{ tool: 'read_page' }, { error: true }, {}]);
    expect(metrics).toMatchObject({ steps: 3, toolCalls: 4, errors: 1, firstTool: 'read_page' });
    expect(metrics.durationMs).toBe(2000);
  });

  it('the first tool is compared if the task expects one', () => {
    expect(fold([{ tool: 'a' }], { expectedFirstTool: 'a' }).firstToolAsExpected).toBe(true);
    expect(fold([{ tool: 'a' }], { expectedFirstTool: 'b' }).firstToolAsExpected).toBe(false);
    expect(fold([{ tool: 'a' }]).firstToolAsExpected).toBeNull();
    expect(fold([], { expectedFirstTool: 'b' })).toMatchObject({ firstTool: null, firstToolAsExpected: null });
  });

  it('an empty journal is an episode that did not end', () => {
    expect(episodeMetrics([])).toMatchObject({ steps: 0, toolCalls: 0, durationMs: 0, outcome: null, reward: null });
  });
});

describe('noProgressEpisodes', () => {
  const errors = (n: number) => repeat(n, { error: true, tool: 'x' });
  const same = (n: number) => repeat(n, { tool: 'read_page', state: 's0' });

  it.each<[string, Told[], number]>([
    ['two errors are none', errors(2), 0],
    ['three errors are one', errors(3), 1],
    ['seven errors are still one', errors(7), 1],
    [
      'errors of different tools are one run',
      [
        { error: true, tool: 'a' },
        { error: true, tool: 'b' },
        { error: true, tool: 'c' },
      ],
      1,
    ],
    ['two runs parted by a success are two', [...errors(3), { tool: 'a' }, ...errors(4)], 2],
    ['a run broken before three is none', [...errors(2), { tool: 'a' }, ...errors(2)], 0],
    ['the same tool twice is none', same(2), 0],
    ['the same tool three times without a change is one', same(3), 1],
    ['eight times is still one', same(8), 1],
    ['with other arguments too: the rule asks for the tool', [1, 2, 3].map((args) => ({ args, state: 's0' })), 1],
    [
      'clicks that each change the state are progress, at one URL too',
      [{ state: 'a' }, { state: 'b' }, { state: 'c' }],
      0,
    ],
    ['the step that changed the state is not in the run', [{ state: 'a' }, ...repeat(2, { state: 'a' })], 0],
    ['one that changed it, and three that did not', [{ state: 'a' }, ...repeat(3, { state: 'a' })], 1],
    ['another tool breaks the run', [...same(2), { tool: 'find', state: 's0' }, ...same(2)], 0],
    [
      'an error breaks the run of successes',
      [...same(2), { tool: 'read_page', error: true, state: 's0' }, ...same(2)],
      0,
    ],
    ['an unknown state is never taken for unchanged', repeat(5, { state: undefined }), 0],
    ['both kinds add up', [...repeat(3, { error: true, state: 's0' }), ...same(3)], 2],
    ['another tool starts a new run', [...same(3), ...repeat(3, { tool: 'find', state: 's0' })], 2],
  ])('%s', (_name, steps, expected) => {
    expect(fold(steps).noProgressEpisodes).toBe(expected);
    expect(fold(steps).wandering.noProgressRuns).toBe(expected);
  });

  it('if the server reports its progress, counts only the steps with status stalling or stuck, and their runs', () => {
    const steps: Told[] = [...errors(5), { progress: 'stalling' }, { progress: 'stuck' }, { progress: 'progressing' }];
    expect(fold(steps).noProgressEpisodes).toBe(2);
    expect(fold([...steps, { progress: 'stuck' }]).wandering.noProgressRuns).toBe(2);
    const asked = number([
      { type: 'reset', hasProgressStatus: true },
      ...repeat(5, {}).flatMap((): Unnumbered<MetricEvent>[] => [
        { type: 'tool_call', tool: 'x' },
        { type: 'tool_result', isError: true },
      ]),
    ]);
    expect(episodeMetrics(asked).noProgressEpisodes).toBe(0);
  });

  it('a step with two status reports counts once', () => {
    const events = number([
      { type: 'tool_call', tool: 'x' },
      { type: 'progress', status: 'stuck' },
      { type: 'progress', status: 'progressing' },
    ]);
    expect(episodeMetrics(events).noProgressEpisodes).toBe(1);
  });
});

describe('loops', () => {
  const walk = (path: string) => [...path].map((state) => ({ tool: `to_${state}`, state }));

  it.each<[string, { start: number; length: number; rounds: number }[]]>([
    ['abcdef', []],
    ['aa', [{ start: 0, length: 1, rounds: 2 }]],
    ['xaaaa', [{ start: 1, length: 1, rounds: 4 }]],
    ['abab', [{ start: 0, length: 2, rounds: 2 }]],
    ['ababa', [{ start: 0, length: 2, rounds: 2 }]],
    ['xabcabcabcy', [{ start: 1, length: 3, rounds: 3 }]],
    ['aabaab', [{ start: 0, length: 3, rounds: 2 }]],
    [
      'aabbcc',
      [
        { start: 0, length: 1, rounds: 2 },
        { start: 2, length: 1, rounds: 2 },
        { start: 4, length: 1, rounds: 2 },
      ],
    ],
    ['abcdefghijabcdefghij', [{ start: 0, length: 10, rounds: 2 }]],
    ['abacab', []],
  ])('in %s', (path, loops) => {
    const { wandering } = fold(walk(path));
    expect(wandering.loops).toEqual(loops);
    expect(wandering.repeatedLoops).toBe(loops.length);
    expect(wandering.loopedSteps).toBe(loops.reduce((sum, l) => sum + l.length * (l.rounds - 1), 0));
  });

  it('the same call in another state, another call in the same state, and unobserved states are not a loop', () => {
    expect(fold([{ state: 'a' }, { state: 'b' }]).wandering.repeatedLoops).toBe(0);
    expect(
      fold([
        { state: 'a', args: { ref: 1 } },
        { state: 'a', args: { ref: 2 } },
      ]).wandering.repeatedLoops,
    ).toBe(0);
    expect(fold(repeat(4, { state: undefined })).wandering.repeatedLoops).toBe(0);
  });

  it('the order of argument fields does not matter', () => {
    const steps = [
      { state: 'a', args: { x: 1, y: { p: 1, q: 2 } } },
      { state: 'a', args: { y: { q: 2, p: 1 }, x: 1 } },
    ];
    expect(fold(steps).wandering.repeatedLoops).toBe(1);
  });

  it('every repeated block is found, and every loop found repeats', () => {
    const block = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(block, fc.integer({ min: 2, max: 5 }), (letters, rounds) => {
        const { loops } = fold(walk(`x${letters.join('').repeat(rounds)}y`)).wandering;
        expect(loops).toEqual([{ start: 1, length: letters.length, rounds }]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 40 }), (path) => {
        let end = 0;
        for (const { start, length, rounds } of fold(walk(path)).wandering.loops) {
          expect(start).toBeGreaterThanOrEqual(end);
          end = start + length * rounds;
          expect(path.slice(start, end)).toBe(path.slice(start, start + length).repeat(rounds));
        }
      }),
    );
  });
});

describe('wandering', () => {
  it('revisits are moves to a state seen before, the start included', () => {
    const ratio = (states: string[]) => fold(states.map((state) => ({ state }))).wandering.revisitedStateRatio;
    expect(ratio(['a', 'b', 'c'])).toBe(0);
    expect(ratio(['a', 's0', 'a', 'b'])).toBe(0.5);
    expect(ratio(['s0', 's0'])).toBeNull();
    expect(ratio([])).toBeNull();
  });

  it('an action without effect is one that succeeded and did not change the state', () => {
    const of = (step: Told) => fold([{ state: 'a' }, step]).wandering.actionsWithoutEffect;
    expect(of({ state: 'a' })).toBe(1);
    expect(of({ state: 'b' })).toBe(0);
    expect(of({ state: 'a', observes: true })).toBe(0);
    expect(of({ state: 'a', error: true })).toBe(0);
    expect(of({ state: undefined })).toBe(0);
  });

  it('observe-only streaks are runs of three and more', () => {
    const look: Told = { observes: true };
    const { wandering } = fold([look, look, {}, look, look, look, {}, look, look, look, look]);
    expect(wandering).toMatchObject({ observeOnlyStreaks: 2, longestObserveOnlyStreak: 4 });
    expect(fold([{}]).wandering).toMatchObject({ observeOnlyStreaks: 0, longestObserveOnlyStreak: 0 });
  });

  it('steps after the contract held count from the first pass', () => {
    expect(fold([{}, { verdict: 'pass' }, {}, { verdict: 'pass' }]).wandering.stepsAfterContractHeld).toBe(2);
    expect(fold([{}, {}]).wandering.stepsAfterContractHeld).toBe(0);
    const heldAtStart = number([
      { type: 'contract_eval', verdict: 'pass' },
      { type: 'tool_call', tool: 'x' },
    ]);
    expect(episodeMetrics(heldAtStart).wandering.stepsAfterContractHeld).toBe(1);
  });

  it('path efficiency is oracle over steps for a pass, zero for a failure, unknown without an oracle', () => {
    const of = (n: number, oracleSteps: number | undefined, status: 'passed' | 'failed') =>
      fold(repeat(n, {}), { oracleSteps }, { type: 'stop', status }).wandering;
    expect(of(8, 4, 'passed')).toMatchObject({ pathEfficiency: 0.5, wastedSteps: 4 });
    expect(of(4, 4, 'passed')).toMatchObject({ pathEfficiency: 1, wastedSteps: 0 });
    expect(of(3, 4, 'passed')).toMatchObject({ pathEfficiency: 1, wastedSteps: 0 });
    expect(of(8, 4, 'failed').pathEfficiency).toBe(0);
    expect(of(8, undefined, 'passed')).toMatchObject({ pathEfficiency: null, wastedSteps: null });
  });

  it('steps without reward are those that earned nothing', () => {
    expect(fold([{ score: 0.3 }, { score: 0 }, { score: -0.2 }]).wandering.stepsWithoutReward).toBe(2);
    expect(fold([{}]).wandering.stepsWithoutReward).toBeNull();
  });
});

describe('recovery', () => {
  it('runs from the first failure to the next progress', () => {
    const { recovery } = fold([
      { score: 0.3 },
      { error: true, score: -0.3 },
      { error: true, score: -0.4 },
      { score: 0, observes: true },
      { score: 0.2 },
      { error: true, score: -0.3 },
    ]);
    // Six events per step plus a reward: seven times 100 ms.
    expect(recovery).toEqual({
      failures: 2,
      recovered: 1,
      latencySteps: 3,
      latencyMs: 1800,
      spells: [
        { start: 1, end: 4, steps: 3, ms: 1800 },
        { start: 5, end: null, steps: null, ms: null },
      ],
    });
  });

  it('a blocked page is a failure, and a passing contract ends it', () => {
    expect(fold([{ score: -0.5, classification: 'blocked' }, { verdict: 'pass' }]).recovery).toMatchObject({
      failures: 1,
      recovered: 1,
      latencySteps: 1,
    });
  });

  it('without rewards, an action that changed the state is progress, and an observation is not', () => {
    const recoveredBy = (step: Told) => fold([{ error: true, state: 'a' }, step]).recovery.recovered;
    expect(recoveredBy({ state: 'b' })).toBe(1);
    expect(recoveredBy({ state: 'a' })).toBe(0);
    expect(recoveredBy({ state: 'b', observes: true })).toBe(0);
    expect(recoveredBy({ state: undefined })).toBe(0);
  });

  it('without a failure there is no latency', () => {
    expect(fold([{ score: 0.3 }]).recovery).toEqual({
      failures: 0,
      recovered: 0,
      latencySteps: null,
      latencyMs: null,
      spells: [],
    });
  });
});

describe('reward', () => {
  it('is summed without binary rounding errors', () => {
    expect(fold([{ score: 0.1 }, { score: 0.2 }, { score: -0.4 }, { score: 0.3 }]).reward).toEqual({
      sum: 0.2,
      min: -0.4,
      last: 0.3,
    });
  });
});

describe('for any events', () => {
  const recorded = fc.record(
    {
      tool: fc.constantFrom('a', 'b'),
      args: fc.jsonValue(),
      observes: fc.boolean(),
      error: fc.boolean(),
      url: fc.constantFrom('u', 'v', undefined),
      state: fc.constantFrom('s', 't', undefined),
      verdict: fc.constantFrom('pass' as const, 'fail' as const),
      score: fc.constantFrom(-0.3, 0, 0.3),
      progress: fc.constantFrom('stuck', 'progressing'),
    },
    { requiredKeys: [] },
  );
  const events = fc.array(recorded, { maxLength: 30 }).map((steps) => episode(steps));

  it('numbers stay within their bounds, and folding twice gives the same', () => {
    fc.assert(
      fc.property(events, (list) => {
        const m = episodeMetrics(list, { oracleSteps: 5 });
        expect(episodeMetrics(structuredClone(list), { oracleSteps: 5 })).toEqual(m);
        expect(m.errors).toBeLessThanOrEqual(m.steps);
        expect(m.noProgressEpisodes).toBeLessThanOrEqual(m.steps);
        expect(m.wandering.loopedSteps).toBeLessThanOrEqual(m.steps);
        expect(m.wandering.actionsWithoutEffect).toBeLessThanOrEqual(m.steps);
        expect(m.wandering.stepsAfterContractHeld).toBeLessThanOrEqual(m.steps);
        expect(m.recovery.recovered).toBeLessThanOrEqual(m.recovery.failures);
        const ratio = m.wandering.revisitedStateRatio;
        expect(ratio === null || (ratio >= 0 && ratio <= 1)).toBe(true);
      }),
    );
  });

  it('events of unknown types and screenshots change nothing', () => {
    fc.assert(
      fc.property(events, (list) => {
        const foreign = list.flatMap((event) => [event, { ...event, type: 'note' } as unknown as MetricEvent]);
        const bare = list.filter(({ type }) => type !== 'screenshot');
        expect(episodeMetrics(foreign)).toEqual(episodeMetrics(list));
        expect(episodeMetrics(bare)).toEqual(episodeMetrics(list));
      }),
    );
  });
});

describe('moves', () => {
  const click = { action: 'click', target: { selector: '#go' } };
  const waiting = { action: 'wait', text: 'Done' };
  /** One server's calls for the same two moves: a click, and a wait that takes some servers several calls. */
  const played = (tools: { click: string; wait: string[]; observes: boolean }): MetricEvent[] =>
    number([
      { type: 'evidence', url: 'u', state: 'a' },
      { type: 'tool_call', tool: tools.click, canonical: click },
      { type: 'tool_result' },
      { type: 'evidence', url: 'u', state: 'b' },
      ...tools.wait.flatMap((tool, n): Unnumbered<MetricEvent>[] => [
        { type: 'tool_call', tool, arguments: { n }, canonical: waiting, observes: tools.observes, continues: n > 0 },
        { type: 'tool_result' },
      ]),
      { type: 'evidence', url: 'u', state: 'b' },
      { type: 'stop', status: 'passed' },
    ]);

  it('the same moves give the same numbers, however many calls a server needs for them and whatever it calls them', () => {
    const one = episodeMetrics(played({ click: 'interact', wait: ['wait_for'], observes: true }), { oracleSteps: 2 });
    const other = episodeMetrics(
      played({ click: 'click', wait: ['evaluate', 'evaluate', 'evaluate'], observes: false }),
      {
        oracleSteps: 2,
      },
    );
    expect(one).toMatchObject({ steps: 2, toolCalls: 2, wandering: { pathEfficiency: 1, actionsWithoutEffect: 0 } });
    expect(other).toMatchObject({ steps: 2, toolCalls: 4 });
    expect(other.wandering).toEqual(one.wandering);
    expect(other.noProgressEpisodes).toBe(one.noProgressEpisodes);
  });

  it('a failed further call is an error of its move', () => {
    const events = number([
      { type: 'tool_call', tool: 'press_key', canonical: click },
      { type: 'tool_result' },
      { type: 'tool_call', tool: 'type_text', canonical: click, continues: true },
      { type: 'tool_result', isError: true },
    ]);
    expect(episodeMetrics(events)).toMatchObject({ steps: 1, errors: 1, recovery: { failures: 1 } });
  });
});

it('the sum is what the rewards add to it; the last look is in it and belongs to no step', () => {
  const events = number([
    { type: 'tool_call', tool: 'x' },
    { type: 'reward', score: 0.3, contribution: 0.2 },
    { type: 'reward', score: 1, contribution: 0.8, final: true },
  ]);
  expect(episodeMetrics(events)).toMatchObject({
    reward: { sum: 1, min: 0.3, last: 1 },
    wandering: { stepsWithoutReward: 0 },
  });
});
