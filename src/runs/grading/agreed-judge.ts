/** The judge that a pack or a run is made with: there when an item needs one, behind an API, with a model. */
import type { Item } from '../../cases/index.ts';
import { someOf, WaymarkError } from '../../errors/index.ts';
import type { Judge } from './judge-choice.ts';
import type { ProviderRef } from './judge-for-run.ts';

/** `provider` is what the store knows about the judge's id; undefined when it knows nothing. */
export function agreedJudge(
  judge: Judge | null | undefined,
  needJudge: readonly Item[],
  provider: ProviderRef | undefined,
): Judge | null {
  if (judge === null || judge === undefined) {
    if (needJudge.length === 0) return null;
    const ids = needJudge.map(({ id }) => id);
    throw new WaymarkError({
      code: 'judge_required',
      message: `${ids.length} items can only be scored by a judge, and none is chosen: ${someOf(ids)}.`,
      issues: ids.map((id) => ({
        path: 'judge',
        code: 'judge_required',
        message: `${id} needs a judge.`,
        item_id: id,
      })),
      hint: 'Choose an API provider and a model as judge, or leave these items out.',
    });
  }
  if (provider?.id !== judge.provider_id || provider.surface !== 'api') {
    const message =
      provider?.id === judge.provider_id
        ? "A browser provider can't judge."
        : `There is no provider ${judge.provider_id}.`;
    throw new WaymarkError({
      code: 'judge_provider_invalid',
      message,
      issues: [{ path: 'judge.provider_id', code: 'judge_provider_invalid', message }],
      hint: 'Choose an API provider.',
    });
  }
  if (judge.model.trim() === '') {
    const message = 'The judge has no model.';
    throw new WaymarkError({
      code: 'judge_model_missing',
      message,
      issues: [{ path: 'judge.model', code: 'judge_model_missing', message }],
    });
  }
  return judge;
}
