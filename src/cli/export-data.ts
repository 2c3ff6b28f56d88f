/** `waymark export-data`: everything in one file. */
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
    'everything that the server keeps (datasets, providers, runs, scores, artifacts) in one file.',
    'From a folder only while no server has it; from a PostgreSQL server at any time. Jobs are not in it.',
  ].join('\n'),
  flags: {
    ...storeFlags,
    out: { type: 'string', value: '<file>', about: `where to write (${DEFAULT_FILE})` },
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
