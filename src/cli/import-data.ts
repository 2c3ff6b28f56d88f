/** `waymark import-data`: restores a backup into an empty folder or database. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { importData, openArtifacts, openStore } from '../store/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { storeFlags, storePlaces } from './store-flags.ts';

export const importDataCommand = defineCommand({
  name: 'import-data',
  about: [
    'restores a file from export-data into an empty folder or database, completely or not at all.',
    'Source and target may be of different kinds, so this also moves data from a folder to a PostgreSQL server.',
  ].join('\n'),
  flags: {
    ...storeFlags,
    from: { type: 'string', value: '<file>', about: 'the file that export-data wrote' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark import-data --from backup.jsonl.gz --data restored', does: 'restore into a new folder' },
    { line: 'waymark import-data --from backup.jsonl.gz --database env', does: 'move to a PostgreSQL server' },
  ],
  async run(flags, terminal) {
    if (flags.from === undefined) {
      throw new WaymarkError({
        code: 'usage_missing_value',
        message: 'waymark import-data needs --from <file>.',
        hint: 'See: waymark import-data --help',
      });
    }
    const places = storePlaces(flags, terminal);
    await using store = await openStore(places.store);
    const file = path.resolve(terminal.cwd, flags.from);
    const counts = await importData(store, await openArtifacts(places.artifacts), file);
    terminal.out(
      flags.json ? `${JSON.stringify(counts)}\n` : `${counts.rows} rows and ${counts.artifacts} artifacts imported\n`,
    );
    return EXIT.ok;
  },
});
