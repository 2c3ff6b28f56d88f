/** Rows that no API made: many runs by one statement, and the bare insert that an import is compared with. */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Store } from '../src/store/index.ts';

const HASH = 'a'.repeat(64);
const DATASETS = 20;

/** Runs without items, over twenty datasets and as many providers, in every state that a list can show. */
export async function seedRuns(store: Store, runs: number): Promise<void> {
  await store.db.execute(sql`
    insert into dataset (name, version_hash, item_count)
    select 'Seed ' || n, ${HASH}, 10 from generate_series(1, ${DATASETS}::int) n`);
  await store.db.execute(sql`
    insert into provider (surface, name, target_preset, target_origin, target_name)
    select 'browser', 'Seed ' || n, 'custom', 'https://chat' || n || '.example', 'Seed ' || n
    from generate_series(1, ${DATASETS}::int) n`);
  await store.db.execute(sql`
    insert into run (dataset_id, dataset_version_hash, provider_id, provider_surface, status, grading_status, triggered_by,
      item_count, counts, started_at, finished_at, imported_at, created_at)
    select d.ids[1 + n % ${DATASETS}::int], ${HASH}, p.ids[1 + (n / 7) % ${DATASETS}::int], 'browser', 'completed',
      case when n % 1000 = 0 then 'failed' when n % 100 = 0 then 'partial' else 'done' end, 'browser_harness',
      10, '{"expected": 10, "answered": 10, "scored": 10, "passed": 7}', t, t, t, t
    from generate_series(1, ${runs}::int) n,
      lateral (select timestamptz '2026-01-01' + n * interval '1 second' as t) at,
      (select array_agg(id) as ids from dataset where name like 'Seed %') d,
      (select array_agg(id) as ids from provider where name like 'Seed %') p`);
  await store.db.execute(sql`analyze`);
}

/** The rows of a run's items once more, as another run, by one bare statement: the least that an import of them can cost. */
export async function bareInsert(store: Store, runId: string): Promise<{ items: number; ms: number }> {
  const { rows } = await store.db.execute<{ cells: string; attempts: string; items: number }>(sql`
    select (select json_agg(c)::text from cell c where run_id = ${runId}) as cells,
      (select json_agg(a)::text from attempt a where run_id = ${runId}) as attempts,
      (select count(*)::int from cell where run_id = ${runId}) as items`);
  const [first] = rows;
  if (!first?.items) throw new Error(`The run ${runId} has no items.`);
  const again = randomUUID();
  const [cells, attempts] = [first.cells, first.attempts].map((json) => json.replaceAll(runId, again));
  const started = performance.now();
  await store.db.transaction(async (tx) => {
    await tx.execute(sql`
      insert into run (id, dataset_id, dataset_version_hash, provider_id, provider_surface, status, triggered_by, item_count, imported_at)
      select ${again}::uuid, dataset_id, dataset_version_hash, provider_id, provider_surface, status, triggered_by, item_count, imported_at
      from run where id = ${runId}`);
    await tx.execute(sql`insert into cell select * from json_populate_recordset(null::cell, ${cells}::json)`);
    await tx.execute(sql`insert into attempt select * from json_populate_recordset(null::attempt, ${attempts}::json)`);
  });
  return { items: first.items, ms: performance.now() - started };
}
