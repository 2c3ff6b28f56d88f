import { describe, expect, it } from 'vitest';
import {
  answered,
  called,
  delegated,
  madeJournal,
  reportedBack,
  rewarded,
  stopped,
} from '../../test/support/made-journal.ts';
import type { JournalEvent } from './events.ts';
import { episodeResult } from './result.ts';

const artifacts = { eventsJsonl: 'events.jsonl', reportJson: 'report.json' };
const resultOf = (events: readonly JournalEvent[]) => episodeResult(events, { artifacts });
const turn = (phase: 'start' | 'end', executorId?: string) => ({
  type: 'turn' as const,
  phase,
  turn: 1,
  ...(executorId === undefined ? { role: 'orchestrator' } : { role: 'executor', executorId }),
});
const used = (inputTokens: number, executorId?: string) => ({
  type: 'usage' as const,
  model: 'waymark-test-model/oracle',
  role: executorId === undefined ? 'orchestrator' : 'executor',
  inputTokens,
  outputTokens: 1,
  ...(executorId === undefined ? {} : { executorId }),
});
const stepOf = (id: string, step: number, lane: string, score: number, isError = false) => [
  called(id, step, lane),
  answered(id, lane, { isError }),
  rewarded(id, score, lane),
];

const team = madeJournal([
  turn('start'),
  used(100),
  turn('end'),
  delegated('left', 'Look at the left shop.'),
  delegated('right', 'Look at the right shop.'),
  turn('start', 'left'),
  used(10, 'left'),
  // The other lane's call does not end this lane's thinking.
  ...stepOf('c1', 1, 'right', 0.5),
  turn('end', 'left'),
  ...stepOf('c2', 2, 'left', -0.25, true),
  reportedBack('left', 'blocked'),
  ...stepOf('c3', 3, 'right', 0.25),
  reportedBack('right', 'done'),
  turn('start'),
  stopped({ claimed: 'done' }),
]);

describe('metrics by role', () => {
  it('are steps, errors, reward, tokens and time of the orchestrator and of each executor', () => {
    const { roles, usage, testModel } = resultOf(team);
    expect(roles).toMatchObject([
      // Two turns; the second one was cut off by the end, one second after it began.
      {
        role: 'orchestrator',
        steps: 0,
        errors: 0,
        reward: null,
        turns: 2,
        thinkingMs: 3000,
        toolMs: 0,
        usage: { inputTokens: 100 },
      },
      {
        role: 'executor',
        executorId: 'left',
        delegations: 1,
        steps: 1,
        errors: 1,
        reward: -0.25,
        turns: 1,
        thinkingMs: 5000,
        toolMs: 250,
        usage: { inputTokens: 10, costUsd: null },
      },
      {
        role: 'executor',
        executorId: 'right',
        delegations: 1,
        steps: 2,
        errors: 0,
        reward: 0.75,
        turns: 0,
        thinkingMs: null,
        toolMs: 500,
        usage: null,
      },
    ]);
    expect(usage).toMatchObject({ calls: 2, inputTokens: 110, outputTokens: 2, totalTokens: 112, costUsd: null });
    expect(testModel).toBe(true);
  });

  it('are left out where one agent called no model, and a test model is known from its configuration', () => {
    const agent = { kind: 'external', config: { models: ['openai-compatible:test:liar'], mode: 'test' } };
    const { roles, testModel, usage } = resultOf(madeJournal([called('c1', 1), answered('c1'), stopped()], agent));
    expect(roles).toBeUndefined();
    expect(testModel).toBe(true);
    expect(usage).toBeUndefined();
    expect(
      resultOf(madeJournal([stopped()], { kind: 'external', config: { mode: 'test' } })).testModel,
    ).toBeUndefined();
  });
});

it('name one agent that calls a model by that role', () => {
  const used = { type: 'usage' as const, model: 'gpt-5', role: 'agent', inputTokens: 3 };
  expect(resultOf(madeJournal([used, called('c1', 1), answered('c1'), stopped()])).roles).toMatchObject([
    { role: 'agent', steps: 1, thinkingMs: null, usage: { inputTokens: 3, outputTokens: null } },
  ]);
});

it('tell an executor on the lane main from the orchestrator, who has no lane', () => {
  const main = { role: 'executor', executorId: 'main' } as const;
  const events = madeJournal(
    [
      { type: 'turn', phase: 'start', turn: 1, role: 'orchestrator' },
      { type: 'turn', phase: 'end', turn: 1, role: 'orchestrator' },
      { type: 'usage', model: 'planner', role: 'orchestrator', inputTokens: 7 },
      delegated('main'),
      { type: 'turn', phase: 'start', turn: 1, ...main },
      called('c1', 1),
      { type: 'turn', phase: 'end', turn: 1, ...main },
      { type: 'usage', model: 'doer', ...main, inputTokens: 3 },
      answered('c1'),
      rewarded('c1', 0.5),
      reportedBack('main'),
      stopped(),
    ],
    { kind: 'orchestrator-executor' },
  );
  const { roles } = resultOf(events);
  expect(roles).toMatchObject([
    {
      role: 'orchestrator',
      steps: 0,
      turns: 1,
      thinkingMs: 1000,
      toolMs: 0,
      usage: { models: ['planner'], inputTokens: 7 },
    },
    {
      role: 'executor',
      executorId: 'main',
      delegations: 1,
      steps: 1,
      reward: 0.5,
      thinkingMs: 2000,
      usage: { models: ['doer'] },
    },
  ]);
  expect(roles?.[0]).not.toHaveProperty('executorId');
});

describe('delegations', () => {
  it('have their steps, counted by the harness, with status and summary', () => {
    expect(resultOf(team).delegations).toMatchObject([
      {
        executorId: 'left',
        instruction: 'Look at the left shop.',
        maxSteps: 5,
        status: 'blocked',
        summary: 'left says blocked.',
        steps: [2],
        stepsUsed: 1,
        errors: 1,
        reward: -0.25,
        hasEffect: false,
        startedAt: 4000,
        endedAt: 15_000,
      },
      { executorId: 'right', status: 'done', steps: [1, 3], stepsUsed: 2, errors: 0, reward: 0.75, hasEffect: true },
    ]);
  });

  it('that never got a result are aborted, at the end of the journal (trap 7)', () => {
    const cut = madeJournal([delegated('left'), ...stepOf('c1', 1, 'left', 0.5), stopped({ status: 'timeout' })]);
    expect(resultOf(cut).delegations).toMatchObject([
      { executorId: 'left', status: 'aborted', stepsUsed: 1, startedAt: 1000, endedAt: 5000 },
    ]);
  });

  it('to the same executor again take only the steps that follow them', () => {
    const again = madeJournal([
      delegated('left', 'First.'),
      ...stepOf('c1', 1, 'left', 0.5),
      reportedBack('left', 'blocked'),
      delegated('left', 'Second.'),
      ...stepOf('c2', 2, 'left', 0.5),
      reportedBack('left'),
      stopped(),
    ]);
    expect(resultOf(again).delegations?.map(({ instruction, steps }) => [instruction, steps])).toEqual([
      ['First.', [1]],
      ['Second.', [2]],
    ]);
    expect(resultOf(again).failureOrigin).toBeUndefined();
  });
});

describe('where a failure arose', () => {
  const orchestrator = { kind: 'orchestrator-executor' };
  it('is the plan, where nothing was delegated', () => {
    expect(resultOf(madeJournal([stopped({ claimed: 'gave_up' })], orchestrator)).failureOrigin).toMatchObject({
      where: 'plan',
    });
  });

  it('is the execution, where an executor said done and its page shows no effect', () => {
    const events = madeJournal(
      [delegated('e1'), ...stepOf('c1', 1, 'e1', 0), reportedBack('e1'), stopped()],
      orchestrator,
    );
    expect(resultOf(events).failureOrigin).toEqual({
      where: 'execution',
      executorId: 'e1',
      reason: 'The executor e1 said that it was done, and none of its steps had an effect on its page.',
    });
  });

  it('is the hand-off, where a blocked executor was never asked again', () => {
    expect(resultOf(team).failureOrigin).toMatchObject({ where: 'hand_off', executorId: 'left' });
  });

  it('is not said of what passed, of a fault that was not the agent’s, and of an agent without executors', () => {
    const none = [stopped({ status: 'passed' }), stopped({ status: 'tool_error', cause: 'server' })];
    for (const stop of none) expect(resultOf(madeJournal([stop], orchestrator)).failureOrigin).toBeUndefined();
    expect(resultOf(madeJournal([stopped()])).failureOrigin).toBeUndefined();
  });
});

describe('what the agent claimed', () => {
  it.each([
    [{ claimed: 'done' }, { claimed: 'done', falselyClaimed: true }],
    [{ claimed: 'gave_up' }, { claimed: 'gave_up' }],
    [{ claimed: 'done', status: 'passed' }, { claimed: 'done' }],
    [{ claimed: 'done', cause: 'grader' }, { claimed: 'done' }],
    [{ status: 'timeout' }, {}],
  ] as const)('is false where the contract says otherwise: %o', (stop, expected) => {
    const { claimed, falselyClaimed } = resultOf(madeJournal([stopped(stop)]));
    expect({ claimed, falselyClaimed }).toEqual(expected);
  });
});
