/** The oracles of the suite web-ten on other tool servers: the same transcripts, the same verdicts. */
import { afterAll, expect, test } from 'vitest';
import { loadTasks } from '../../src/cases/index.ts';
import { Desk, NOTHING_LEFT } from '../episode/command.ts';
import { FAST, MINUTES, outcomesOf, suite } from './web-ten.ts';

const desk = new Desk();
afterAll(() => desk[Symbol.dispose]());
const ids = (await loadTasks([suite])).map(({ task }) => task.id);

test.each(['playwright', 'chrome-devtools'])(
  'they pass on %s, four attempts at once',
  async (server) => {
    const ran = await desk.run([suite, '--server', server, ...FAST]);
    expect(outcomesOf(ran.out)).toEqual(ids.map((id) => `${id}: passed`));
  },
  6 * MINUTES,
);

test('no process, profile or server folder is left', () => {
  expect(desk.left()).toEqual(NOTHING_LEFT);
});
