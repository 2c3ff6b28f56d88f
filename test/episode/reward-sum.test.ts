/** What real episodes sum to: an oracle, a wanderer and a liar at the same tasks; and steps whose effect is not in the document. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTranscript, scripted } from '../../src/agents/index.ts';
import { loadTasks } from '../../src/cases/index.ts';
import type { Agent, ToolCall } from '../../src/episode/index.ts';
import { type EventOf, rescoreEvents } from '../../src/events/index.ts';
import { profileOf } from '../../src/tools/index.ts';
import { type Lab, openLab } from '../support/lab.ts';
import { agent, click, moves, NEVER, type Played, play, read, task } from '../support/stage.ts';
import { taskFile } from './command.ts';

let lab: Lab;
beforeAll(async () => {
  lab = await openLab({ slots: 2 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const goTo = (page: string): ToolCall => ({ tool: 'navigate', arguments: { url: lab.server.origin + page } });
const PAGES = [
  '/small',
  '/list',
  '/keys',
  '/dialogs',
  '/network',
  '/shadow',
  '/scroll',
  '/storage',
  '/popup',
  '/download',
];

/** Sees ten pages that it has not seen before, and says that it is done. */
const wanderer = (): Agent => moves(...PAGES.map(goTo));
/** Reads the page, and says that it is done. */
const liar = (): Agent => moves(read, { done: true, answer: 'Done.' });

async function oracleOf(id: string): Promise<{ input: Parameters<typeof play>[1]; oracle: Agent }> {
  const [loaded] = await loadTasks([taskFile(id)]);
  if (!loaded?.task.oracle) throw new Error(`${id} has no oracle`);
  const { oracle, ...input } = loaded.task;
  const transcript = readTranscript(path.resolve(path.dirname(taskFile(id)), String(oracle)));
  return { input, oracle: scripted({ transcript, profile: profileOf('embedded') }) };
}

test.each(['local-form-submit', 'local-recovery-stall', 'keys-chord', 'list-rename'])(
  '%s: the oracle sums to more than a wanderer and a liar',
  async (id) => {
    const { input, oracle } = await oracleOf(id);
    const sum = async (by: Agent): Promise<number> => {
      const { result, events } = await play(lab, input, by, { screenshots: false });
      expect(result.success).toBe(by === oracle);
      expect(rescoreEvents(events).differences).toEqual([]);
      return result.reward?.sum ?? Number.NaN;
    };
    const [solved, walked, lied] = [await sum(oracle), await sum(wanderer()), await sum(liar())];
    expect(solved).toBeGreaterThan(0.6);
    expect(solved).toBeLessThanOrEqual(1);
    expect(walked).toBeLessThanOrEqual(0.4);
    expect(lied).toBeLessThanOrEqual(0.4);
  },
);

test('a walk of new states sums to nothing, though each step is progress by itself', async () => {
  const start = task(lab, '/form', { success: NEVER });
  const { result, of } = await play(lab, start, wanderer(), { screenshots: false });
  expect(of('reward').map(({ classification }) => classification)).toEqual(PAGES.map(() => 'progress'));
  expect(result.reward?.sum).toBe(0);
});

test('what the page shows only after the last step is in the sum: a passed episode always has its pass', async () => {
  const late = `document.querySelector('#result').textContent = 'Arrived.'`;
  const acts = agent(async (session) => {
    await session.step(read);
    const slow = `setTimeout(() => { ${late} }, 300); 'soon'`;
    await session.step({ tool: 'javascript_tool', arguments: { code: slow } });
    await session.look({ tool: 'wait_for', arguments: { text: 'Arrived.' } });
  });
  const { result, of, events } = await play(lab, task(lab, '/recovery/no-progress'), acts, { screenshots: false });
  expect(result).toMatchObject({ status: 'passed', reward: { last: 1 } });
  expect(result.reward?.sum).toBeGreaterThan(0.6);
  expect(of('reward').some(({ classification }) => classification === 'contract_pass')).toBe(true);
  expect(rescoreEvents(events).differences).toEqual([]);
});

describe('steps whose effect is not in the document', () => {
  const signals = (reward: EventOf<'reward'> | undefined) => reward?.reasons.map(({ signal }) => signal);
  const playAt = (page: string, screenshots: boolean, ...calls: ToolCall[]): Promise<Played> =>
    play(lab, task(lab, page, { maxSteps: 20, success: NEVER }), moves(...calls), { screenshots });
  const interact = (args: Record<string, unknown>): ToolCall => ({ tool: 'interact', arguments: args });

  test('focus, selection, hover and scrolling are neither progress nor without effect', async () => {
    const { of } = await playAt(
      '/form',
      false,
      interact({ action: 'press', key: 'Control+a', selector: 'body' }),
      click('#name'),
      interact({ action: 'hover', selector: 'h1' }),
    );
    const scrolled = await playAt('/scroll', false, interact({ action: 'scroll', direction: 'down' }));
    for (const reward of [...of('reward'), ...scrolled.of('reward')]) {
      expect(signals(reward)).toEqual(['attention_changed']);
      expect(reward).toMatchObject({ score: 0, contribution: 0 });
    }
    expect(of('reward')).toHaveLength(3);
  });

  test('strokes on a canvas are progress by the picture, and a button that does nothing has no effect', async () => {
    const dot = (x: number): ToolCall => interact({ action: 'click', selector: '#sheet', offset: [x, 60] });
    const { of, events, result } = await playAt('/drawing', true, dot(40), dot(120), dot(200));
    const amended = of('reward').filter((reward) => reward.amended);
    expect(amended.map(signals)).toEqual([['visual_change'], ['visual_change'], ['visual_change']]);
    expect(result.reward?.sum).toBe(0);
    expect(result.wandering.stepsWithoutReward).toBe(0);
    expect(rescoreEvents(events).differences).toEqual([]);
    const { of: dead } = await playAt('/recovery/no-progress', true, click('#check'));
    expect(dead('reward').map(signals)).toEqual([['no_effect']]);
  });
});
