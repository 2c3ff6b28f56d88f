/** `waymark fetch <run-id>`: a run that workers executed, as a folder on this machine. */
import { WaymarkError } from '../errors/index.ts';
import { openArtifacts, openStore } from '../store/index.ts';
import { defineCommand } from './command.ts';
import { interruptible } from './interruptible.ts';
import { runFlags } from './run-flags.ts';
import { bringBack } from './run-on-workers.ts';
import { storePlaces } from './store-flags.ts';

export const fetchCommand = defineCommand({
  name: 'fetch',
  about: [
    'waits until a run that workers execute has ended, and writes it into a folder with its journals, pictures and reports.',
    'It is the same folder that waymark run writes: report, compare, verify, grade and export take it. The run stays in the database.',
  ].join('\n'),
  operands: { label: '<run-id>', about: 'as waymark run --database --detach printed it' },
  flags: {
    database: {
      type: 'string',
      value: '<postgres://…|env>',
      about: 'the PostgreSQL server of the run. env: take the URL from DATABASE_URL',
    },
    artifacts: { type: 'string', value: '<folder|s3://…>', about: 'where its pictures are; as that of the workers' },
    out: runFlags.out,
    reporter: runFlags.reporter,
    'join-journals': runFlags['join-journals'],
    json: { type: 'boolean', about: 'print the report as JSON, and nothing else' },
  },
  examples: [
    {
      line: 'waymark fetch 0199f0c2-… --database env --artifacts s3://team/waymark',
      does: 'into .waymark/runs, when the run has ended',
    },
  ],
  async run(flags, terminal, [runId, ...others]) {
    using interruption = interruptible((line) => flags.json || terminal.err(`${line}\n`));
    if (runId === undefined || others.length > 0)
      throw new WaymarkError({ code: 'usage', message: 'waymark fetch takes the id of one run.' });
    if (flags.database === undefined)
      throw new WaymarkError({
        code: 'usage',
        message: 'waymark fetch needs the database of the run.',
        hint: 'Add --database postgres://…, or --database env with DATABASE_URL.',
      });
    const places = storePlaces(flags, terminal);
    await using store = await openStore({ ...places.store, mayUpgrade: false });
    const artifacts = await openArtifacts(places.artifacts);
    return await bringBack({ store, artifacts, runId }, flags, terminal, interruption.signal);
  },
});
