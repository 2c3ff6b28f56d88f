/** Scores a run once more, as a new attempt; what was scored before stays. */
import { eq } from 'drizzle-orm';
import { notFound, WaymarkError } from '../../errors/index.ts';
import { isUuid, providerRef, type Queue, type Store, schema } from '../../store/index.ts';
import { enqueueGrading } from './enqueue-grading.ts';
import type { Judge } from './judge-choice.ts';

const { run } = schema;

export async function gradeAgain(
  { store, queue }: { store: Store; queue: Queue },
  id: string,
  judge: Judge | undefined,
): Promise<{ run_id: string; attempt: number; scoring_status: 'queued' }> {
  return await store.db.transaction(async (tx) => {
    const [row] = isUuid(id) ? await tx.select().from(run).where(eq(run.id, id)).for('update') : [];
    if (!row) throw notFound('run', id);
    // What a failed or cancelled run has answers to can be scored too.
    if (row.status === 'queued' || row.status === 'running') {
      throw new WaymarkError({
        code: 'run_not_finished',
        message: `The run is ${row.status}: it is scored when it has ended.`,
      });
    }
    if (row.gradingStatus === 'queued' || row.gradingStatus === 'running') {
      throw new WaymarkError({
        code: 'scoring_under_way',
        message: 'The run is being scored.',
        hint: 'Wait until that has ended.',
      });
    }
    let group = row.judgeProviderId;
    if (judge) {
      const known = await providerRef(tx, judge.provider_id);
      if (known?.surface !== 'api') {
        throw new WaymarkError({
          code: 'judge_provider_invalid',
          message: `There is no API provider ${judge.provider_id}.`,
        });
      }
      if (judge.model.trim() === '')
        throw new WaymarkError({ code: 'judge_model_missing', message: 'The judge has no model.' });
      group = known.id;
      const config = { ...row.config, judge: { ...judge, source: 'rescore' } };
      await tx.update(run).set({ config, judgeProviderId: known.id }).where(eq(run.id, id));
    }
    await enqueueGrading({ store, queue }, tx, id, group);
    return { run_id: id, attempt: row.gradingRound + 1, scoring_status: 'queued' as const };
  });
}
