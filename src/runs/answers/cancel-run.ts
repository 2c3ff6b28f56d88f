/** Ends a run that waits or is under way. Its worker hears of it, here or on another server, and drops the calls that it has open. */
import { eq } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { isUuid, schema } from '../../store/index.ts';
import { endAs } from './end-run.ts';
import type { LaunchContext } from './launch-run.ts';

const { run } = schema;

export async function cancelRun(
  { store, now }: Pick<LaunchContext, 'store' | 'now'>,
  id: string,
): Promise<{ run_id: string; status: 'cancelled' }> {
  return await store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(run).where(eq(run.id, id)).for('update') : [];
    if (!row) throw notFound('run', id);
    if (row.status === 'completed' || row.status === 'failed') {
      throw new WaymarkError({
        code: 'run_finished',
        message: `The run has ${row.status}: there is nothing left to cancel.`,
      });
    }
    if (row.status !== 'cancelled') await endAs(store, tx, row, 'cancelled', 'The run was cancelled.', now());
    return { run_id: id, status: 'cancelled' as const };
  });
}
