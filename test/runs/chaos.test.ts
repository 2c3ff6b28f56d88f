/** Ten kills; `npm run chaos` makes two hundred. */
import { expect, test } from 'vitest';
import { chaos } from './chaos.ts';

test('a run that is killed ten times and started again by the same command has every episode once, and leaves nothing behind', async () => {
  const counts = await chaos({ kills: 10, tasks: 3, trials: 4, concurrency: 2, seed: 13, mostEpisodes: 3 });
  const { runs, lateKills } = counts;
  // Every command ended by a kill or with a whole run; a late kill is both.
  expect(counts).toMatchObject({ kills: 10, episodes: 12 * runs, commands: 10 + runs - lateKills });
  expect(runs - lateKills).toBeGreaterThan(0);
}, 300_000);
