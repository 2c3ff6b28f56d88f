/** `waymark export-data`: writes all data into one file. */
import path from 'node:path';
import { exportData, openArtifacts, openStore } from '../store/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { storeFlags, storePlaces } from './store-flags.ts';
import { version } from './version.ts';

const DEFAULT_FILE = 'waymark-data.jsonl.gz';

export const exportDataCommand = defineCommand({
  name: 'export-data',
  about: [
    'writes everything that the server keeps (datasets, providers, runs, scores, artifacts) into one file.',
    'A data folder must not be in use by a server; a PostgreSQL server can be exported at any time. Queued jobs are not included.',
  ].join('\n'),
  flags: {
    ...storeFlags,
    out: { type: 'string', value: '<file>', about: `the file to write (${DEFAULT_FILE})` },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark export-data --out backup.jsonl.gz', does: 'back up the folder .waymark/data' },
    { line: 'waymark export-data --database env', does: 'back up the server that DATABASE_URL names' },
  ],
  async run(flags, terminal) {
    const places = storePlaces(flags, terminal);
    const file = path.resolve(terminal.cwd, flags.out ?? DEFAULT_FILE);
    await using store = await openStore(places.store);
    const counts = await exportData(store, await openArtifacts(places.artifacts), file, { version: version() });
    terminal.out(
      flags.json
        ? `${JSON.stringify({ file, ...counts })}\n`
        : `${counts.rows} rows and ${counts.artifacts} artifacts written to ${file}\n`,
    );
    return EXIT.ok;
  },
});
