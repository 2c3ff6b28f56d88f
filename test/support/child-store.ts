/**
 * A process that writes rows or works on a job until it is killed. What it prints has been acknowledged by the database.
 *   node child-store.ts rows|job <options of openStore as JSON>
 */
import { sql } from 'drizzle-orm';
import { openStore, Queue, type StoreOptions, schema } from '../../src/store/index.ts';

const [what, options = ''] = process.argv.slice(2);
const store = await openStore(JSON.parse(options) as StoreOptions);
const say = (text: unknown) => process.stdout.write(`${text}\n`);

if (what === 'rows') {
  for (let n = 0; ; n += 1) {
    await store.db.insert(schema.dataset).values({ name: `dataset ${n}`, versionHash: '0'.repeat(64), itemCount: n });
    say(n);
  }
} else {
  const queue = await Queue.start(store);
  await queue.define('t.crash', { retryDelaySeconds: 1 });
  await queue.work('t.crash', async ({ attempt }) => {
    say(`attempt ${attempt}`);
    // Works for ever, and keeps its heartbeat.
    await new Promise<void>(() => undefined);
  });
  await store.db.transaction((tx) => queue.enqueue(tx, 't.crash', { run_id: 'r' }, { singletonKey: 'r' }));
  await store.db.execute(sql`select 1`);
}
