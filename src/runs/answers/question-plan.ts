/** The plan of a run of questions: which cells, of which suite, against which variant, and the inputs that it is known again by. */
import { canonicalHash, type Dataset, type Item } from '../../cases/index.ts';
import type { RunInputs, RunPlan, Variant } from '../../events/index.ts';
import type { AskedModel } from '../ask-question.ts';
import { newRunId } from '../run-id.ts';

export interface PlannedQuestions {
  readonly dataset: Pick<Dataset, 'name' | 'version_hash'>;
  readonly items: readonly Pick<Item, 'id'>[];
  readonly variant: Variant;
  /** Of Waymark, where it is Waymark that asks. */
  readonly version?: string | undefined;
  readonly experiment?: string | undefined;
  readonly now: Date;
}

export function questionPlan(planned: PlannedQuestions): RunPlan {
  const { dataset, items, variant, experiment, now } = planned;
  return {
    runId: newRunId(now),
    suite: { name: dataset.name, hash: dataset.version_hash },
    variant,
    trials: 1,
    cells: items.map(({ id }) => ({ caseId: id, trial: 1 })),
    inputs: inputsOf(planned),
    ...(experiment === undefined ? {} : { experiment }),
    createdAt: now.getTime(),
  };
}

/** The provider as it is now: a later change of it does not change what the run was. A stored one has an id and a name. */
export function modelVariant(
  { provider: { kind, baseUrl, keyEnv }, model, params }: AskedModel,
  stored: { readonly id?: string; readonly name?: string } = {},
): Variant {
  return {
    kind: 'model',
    provider: { ...stored, kind, baseUrl, ...(keyEnv === null ? {} : { keyEnv }) },
    model,
    params: { ...params },
  };
}

/** The judge is not among them: a run may be resumed with one, for the answers that need it. */
function inputsOf({ dataset, items, variant, version }: PlannedQuestions): RunInputs {
  const of: RunInputs['of'] = {
    ...(version === undefined ? {} : { waymark: version }),
    ...variantInputs(variant),
    'the dataset': dataset.version_hash,
    'the list of items': canonicalHash(items.map(({ id }) => id)),
  };
  return { hash: canonicalHash(of), of };
}

function variantInputs(variant: Variant): RunInputs['of'] {
  if (variant.kind !== 'model') return { 'the variant': canonicalHash(variant) };
  const { provider, model, params = {} } = variant;
  return {
    model: `${provider.kind}:${model}`,
    'base-url': provider.baseUrl ?? '',
    temperature: numberOr(params['temperature']),
    'max-tokens': numberOr(params['max_tokens']),
    'the system text': params['system'] === undefined ? 'none' : canonicalHash(params['system']),
  };
}

function numberOr(value: unknown): number | string {
  return typeof value === 'number' ? value : 'the default of the model';
}
