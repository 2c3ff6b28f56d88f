/** Hooks: they see what the journal has, and can neither stop nor change the agent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orchestratorExecutor } from '../../src/agents/index.ts';
import type { AgentHooks } from '../../src/episode/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { play, task } from '../support/stage.ts';
import { madeModel } from './made-model.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 1 });
});
afterAll(() => lab[Symbol.asyncDispose]());

function team() {
  let turn = 0;
  return orchestratorExecutor({
    orchestrator: madeModel(() =>
      turn++ === 0
        ? { calls: [{ name: 'delegate', input: { instruction: 'Read.', maxSteps: 5 } }] }
        : { calls: [{ name: 'complete', input: { answer: 'Read.' } }] },
    ),
    executor: madeModel(({ turns }) => (turns === 0 ? { calls: [{ name: 'read_page' }] } : { text: 'It was read.' })),
    profile: profileOf('embedded'),
    settings: { observe: 'text', contextTokens: 100_000 },
  });
}

test('every hook, in the order of what happened, with the ids of the harness', async () => {
  const seen: string[] = [];
  const note =
    (name: string) =>
    (...args: unknown[]): void => {
      seen.push(`${name} ${JSON.stringify(args).slice(0, 60)}`);
    };
  const names = ['onTurnStart', 'onTurnComplete', 'onDelegation', 'onDelegationResult', 'onComplete', 'onFailed'];
  const tools = ['onBeforeToolCall', 'onAfterToolCall'];
  const hooks = Object.fromEntries([...names, ...tools].map((name) => [name, note(name)])) as AgentHooks;
  const { of } = await play(lab, task(lab, '/small'), team(), { hooks });
  const call = of('tool_call').find(({ by }) => by === 'agent')?.callId ?? '?';
  expect(seen.map((line) => line.replace(/(?<="It was read\.|#|Small).*/s, ''))).toMatchObject([
    'onTurnStart [1]',
    'onTurnComplete [1]',
    'onDelegation ["Read.","main",5]',
    `onBeforeToolCall ["read_page",{},"${call}"]`,
    expect.stringContaining(`onAfterToolCall ["read_page","${call}"`),
    expect.stringContaining('onDelegationResult [{"executorId":"main","summary":"It was read.'),
    'onTurnStart [2]',
    'onTurnComplete [2]',
    'onComplete ["Read."]',
  ]);
});

test('a hook that throws, or rejects, becomes a warning; the attempt is as without it', async () => {
  const hooks: AgentHooks = {
    onTurnStart: () => {
      throw new Error('no turn, please');
    },
    onBeforeToolCall: () => Promise.reject(new Error('no call, please')),
  };
  const { of, stop } = await play(lab, task(lab, '/small'), team(), { hooks });
  expect(stop).toMatchObject({ status: 'failed', answer: 'Read.' });
  const warnings = of('warning').map(({ source, message }) => `${source}: ${message}`);
  expect(warnings).toEqual([
    'message_logging: The hook onTurnStart failed: no turn, please',
    'message_logging: The hook onBeforeToolCall failed: no call, please',
    'message_logging: The hook onTurnStart failed: no turn, please',
  ]);
});
