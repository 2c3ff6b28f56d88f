/** Rows of an archive that version 0.1.0 wrote, as rows of today's tables. */
import { z } from 'zod';
import type { OldRun } from '../../events/index.ts';
import { type OldItemRow, upgradedItem } from '../upgrade/upgraded-item.ts';
import { isTable, type ReadRow, type TableRow } from './archive.ts';
import { rowsOf } from './read-import-row.ts';

/** How many of today's migrations version 0.1.0 had. */
export const OLD_MIGRATIONS = 4;

type Row = Record<string, unknown>;

const providerSchema = z.object({
  id: z.string(),
  surface: z.string(),
  target_preset: z.string().nullable(),
  target_origin: z.string().nullable(),
  target_name: z.string().nullable(),
});
const runSchema = z.object({
  id: z.string(),
  provider_id: z.string(),
  model: z.string().nullable(),
  created_at: z.string(),
});
const nullable = z.string().nullable();
const itemSchema: z.ZodType<OldItemRow> = z.object({
  run_id: z.string(),
  dataset_item_id: z.string(),
  seq: z.int(),
  status: z.enum(['pending', 'answered', 'error', 'missing']),
  prompt_text: z.string(),
  response: nullable,
  error_code: nullable,
  error_message: nullable,
  model_label: nullable,
  started_at: nullable,
  finished_at: nullable,
  latency_ms: z.number().nullable(),
  item: z.record(z.string(), z.unknown()),
});

/** Remembers providers and runs, which come before the items that need them. */
export function readOldRows(): ReadRow {
  const pages = new Map<string, OldRun['page']>();
  const runs = new Map<string, OldRun>();
  return (table, row): readonly TableRow[] | undefined => {
    switch (table) {
      case 'provider': {
        const read = providerSchema.safeParse(row);
        if (!read.success) return undefined;
        const { id, surface, target_preset, target_origin, target_name } = read.data;
        const page = { preset: target_preset ?? '', origin: target_origin ?? '', displayName: target_name ?? '' };
        pages.set(id, surface === 'browser' ? page : null);
        return [{ table, row }];
      }
      case 'run': {
        const read = runSchema.safeParse(row);
        if (!read.success) return undefined;
        const { id, provider_id, model, created_at } = read.data;
        runs.set(id, { model, created_at, page: pages.get(provider_id) ?? null });
        const names = {
          scoring_status: 'grading_status',
          scoring_reason: 'grading_reason',
          scoring_attempt: 'grading_round',
        };
        return [{ table, row: renamed(row, names) }];
      }
      case 'run_item': {
        const item = itemSchema.safeParse(row);
        const run = runs.get(item.data?.run_id ?? '');
        if (!item.success || !run) return undefined;
        const { cell, attempt } = upgradedItem(item.data, run);
        return [{ table: 'cell', row: cell }, ...(attempt ? [{ table: 'attempt' as const, row: attempt }] : [])];
      }
      case 'score': {
        const names = {
          dataset_item_id: 'case_id',
          attempt: 'round',
          method: 'grader',
          value: 'score',
          detail: 'details',
        };
        return [{ table: 'grade', row: { ...renamed(row, names), trial: 1, attempt: 0 } }];
      }
      case 'import':
        return rowsOf(table, renamed(row, { scoring_queued: 'grading_queued' }));
      // Version 0.1.0 had these tables, and wrote no row to them.
      case 'episode':
      case 'artifact':
        return [];
      default:
        return isTable(table) ? [{ table, row }] : undefined;
    }
  };
}

function renamed(row: Row, names: Readonly<Record<string, string>>): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value]));
}
