/**
 * The part of a migration that is no SQL: items of runs of version 0.1.0 become cells and attempts with a journal. It runs after the SQL of
 * every start, finds nothing to do at all but the first, and goes on where a killed one stopped.
 */
import { sql } from 'drizzle-orm';
import type { OldRun } from '../../events/index.ts';
import type { Database, Queryable } from '../database.ts';
import { insertJsonRows } from '../insert-json-rows.ts';
import { upgradeProviders } from './upgrade-providers.ts';
import { type OldItemRow, upgradedItem } from './upgraded-item.ts';

/** An answer has a million characters at most: this bounds the memory. */
const ROWS_AT_ONCE = 200;

export async function upgradeRows(db: Database): Promise<void> {
  const { rows } = await db.execute<{ present: boolean }>(
    sql`select to_regclass('public.run_item') is not null as present`,
  );
  if (!rows[0]?.present) return;
  let after = { run_id: '00000000-0000-0000-0000-000000000000', dataset_item_id: '' };
  for (;;) {
    const batch = await nextItems(db, after);
    const last = batch.at(-1);
    if (!last) break;
    after = last.item;
    const upgraded = batch.map(({ item, run }) => upgradedItem(item, run));
    await db.transaction(async (tx) => {
      await insertJsonRows(
        tx,
        'cell',
        upgraded.map(({ cell }) => cell),
        { skipKnown: true },
      );
      await insertJsonRows(
        tx,
        'attempt',
        upgraded.flatMap(({ attempt }) => attempt ?? []),
        { skipKnown: true },
      );
    });
  }
  await db.transaction(async (tx) => {
    await upgradeProviders(tx);
    await fillPlans(tx);
    await tx.execute(sql`alter table grade validate constraint grade_cell`);
    await tx.execute(sql`drop table run_item`);
  });
}

async function nextItems(db: Queryable, { run_id, dataset_item_id }: Pick<OldItemRow, 'run_id' | 'dataset_item_id'>) {
  const { rows } = await db.execute<{ item: OldItemRow; run: OldRun }>(sql`
    select row_to_json(i) as item, json_build_object('model', run.model, 'created_at', run.created_at,
      'page', case provider.surface when 'browser' then json_build_object(
        'preset', provider.target_preset, 'origin', provider.target_origin, 'displayName', provider.target_name) end) as run
    from (
      select * from run_item where (run_id, dataset_item_id) > (${run_id}::uuid, ${dataset_item_id})
      order by run_id, dataset_item_id limit ${ROWS_AT_ONCE}
    ) i join run on run.id = i.run_id join provider on provider.id = run.provider_id
    order by i.run_id, i.dataset_item_id`);
  return rows;
}

/** Version 0.1.0 did not freeze what a run was made of: its dataset and its provider, as they are now, are the best that is known. */
export async function fillPlans(db: Queryable): Promise<void> {
  await db.execute(sql`
    update run set plan = jsonb_build_object(
      'suite', jsonb_build_object('name', dataset.name, 'hash', run.dataset_version_hash),
      'variant', case provider.surface
        when 'api' then jsonb_strip_nulls(jsonb_build_object('kind', 'model', 'model', run.model, 'params', run.config -> 'params',
          'provider', jsonb_build_object('id', provider.id, 'kind', provider.kind, 'name', provider.name,
            'baseUrl', provider.base_url, 'keyEnv', provider.key_env)))
        else jsonb_build_object('kind', 'capture', 'preset', provider.target_preset, 'origin', provider.target_origin,
          'displayName', provider.target_name) end,
      'trials', 1, 'inputs', '{"hash": "", "of": {}}'::jsonb, 'createdAt', floor(extract(epoch from run.created_at) * 1000))
    from provider, dataset where provider.id = run.provider_id and dataset.id = run.dataset_id and run.plan is null`);
}
