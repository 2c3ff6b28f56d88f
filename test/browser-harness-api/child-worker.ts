/**
 * A process that scores what is queued, until it is killed.
 *   node child-worker.ts --data <folder> | --database <address> …
 */
import { startGrading } from '../../src/runs/index.ts';
import { openStore, Queue } from '../../src/store/index.ts';

const [kind, place = ''] = process.argv.slice(2);
const store = await openStore(kind === '--data' ? { data: place } : { database: place });
const queue = await Queue.start(store);
await startGrading(queue, { store, assertUrl: () => [{ address: '127.0.0.1', family: 4 }] });
process.stdout.write('ready\n');
