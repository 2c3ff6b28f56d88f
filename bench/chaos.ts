/**
 * `npm run chaos [-- --kills 200 --seed 1 --concurrency 4] [--json]`: kill -9 of the whole process tree at random moments of a run of 60
 * episodes, each followed by the same command. Fails where an episode is lost or there twice, a journal is damaged, or anything is left.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chaos } from '../test/runs/chaos.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '4' },
    json: { type: 'boolean', default: false },
  },
});
// Commands that are started load hundreds of modules; with Node's cache that takes about half of the processor time.
process.env['NODE_COMPILE_CACHE'] ??= path.resolve(import.meta.dirname, '../.waymark/compile-cache');
const began = performance.now();
const counts = await chaos({
  kills: Number(values.kills),
  tasks: 6,
  trials: 10,
  concurrency: Number(values.concurrency),
  seed: Number(values.seed),
  mostEpisodes: 19,
  onLine: (line) => process.stderr.write(`${line}\n`),
});
const minutes = (performance.now() - began) / 60_000;
if (values.json) console.log(JSON.stringify({ ...counts, seed: Number(values.seed), minutes }, null, 2));
else
  console.log(
    [
      `${counts.kills} kills (seed ${values.seed}), ${counts.earlyKills} of them before the first episode of their command had ended, ${counts.endKills} after the last episode, and ${counts.lateKills} of these after the reports were written; ${counts.commands} commands in ${minutes.toFixed(1)} minutes`,
      `${counts.runs} runs finished: ${counts.episodes} episodes, each once; ${counts.cutOff} attempts were cut off and made again, ${counts.torn} last lines were torn`,
      'no episode lost or double, no journal damaged, no process, profile or lock left',
    ].join('\n'),
  );
