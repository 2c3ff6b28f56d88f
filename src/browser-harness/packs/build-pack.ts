/** Makes a signed pack of prompts. Whatever is not named here field by field does not leave: no answers, no checkers, no choices. */
import { randomUUID } from 'node:crypto';
import { type Dataset, sectionsOf } from '../datasets/dataset.ts';
import type { Item } from '../datasets/item.ts';
import { canonicalHash, promptHash } from '../hash.ts';
import { DEFAULT_TTL_S } from '../limits.ts';
import { HarnessProblem, someOf } from '../problem.ts';
import { scoringMethod } from '../scoring/scoring-method.ts';
import { defaultDisplayName, type Target } from '../target.ts';
import { TOKEN_AUDIENCE, type TokenClaims } from '../tokens/claims.ts';
import { signToken } from '../tokens/sign-token.ts';
import { itemFingerprints, type TokenKeys } from '../tokens/token-keys.ts';
import type { Warning } from '../warning.ts';
import { type Judge, judgeHash } from './judge.ts';
import type { PackRequest } from './pack-request.ts';
import { type Excluded, selectItems } from './select-items.ts';

export interface Pack {
  readonly pack_id: string;
  readonly dataset: { readonly id: string; readonly name: string; readonly version_hash: string };
  readonly sections: readonly string[];
  readonly items: readonly {
    readonly id: string;
    readonly seq: number;
    readonly section: string;
    readonly prompt_text: string;
  }[];
  readonly excluded: readonly Excluded[];
  readonly scoring: { readonly programmatic: number; readonly judge_required: number; readonly unscorable: number };
  readonly dataset_token: string;
  readonly expires_at: string;
  readonly warnings: readonly Warning[];
}

export interface PackContext {
  /** What the store knows about `request.judge.provider_id`; undefined when it knows nothing. */
  readonly judgeProvider?: { readonly id: string; readonly surface: 'api' | 'browser' } | undefined;
  readonly newId?: (() => string) | undefined;
}

export async function buildPack(
  dataset: Dataset,
  request: PackRequest,
  now: Date,
  keys: TokenKeys,
  context: PackContext = {},
): Promise<Pack> {
  if (request.dataset_id !== dataset.id) {
    throw new HarnessProblem('dataset_not_found', `There is no dataset ${request.dataset_id}.`);
  }
  const { items, excluded, beyondMax } = selectItems(dataset, request);
  const methods = items.map(scoringMethod);
  const needJudge = items.filter((_, index) => methods[index] === 'judge_required');
  const judge = agreedJudge(request, needJudge, context.judgeProvider);
  const packId = (context.newId ?? randomUUID)();
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + (request.ttl_s ?? DEFAULT_TTL_S);
  const key = keys.current;
  const fingerprint = itemFingerprints(key, packId);
  const claims: TokenClaims = {
    aud: TOKEN_AUDIENCE,
    jti: packId,
    iat: issuedAt,
    exp: expiresAt,
    dataset_id: dataset.id,
    version_hash: dataset.version_hash,
    item_count: items.length,
    item_ids_hash: canonicalHash(items.map(({ id }) => id)),
    items: items.map((item) => [item.id, promptHash(item.prompt_text), fingerprint(item)]),
    target: packTarget(request),
    judge_hash: judgeHash(judge),
  };
  const count = (method: string): number => methods.filter((one) => one === method).length;
  return {
    pack_id: packId,
    dataset: { id: dataset.id, name: dataset.name, version_hash: dataset.version_hash },
    sections: sectionsOf(items),
    items: items.map(({ id, section, prompt_text }, index) => ({ id, seq: index + 1, section, prompt_text })),
    excluded,
    scoring: {
      programmatic: count('programmatic'),
      judge_required: needJudge.length,
      unscorable: count('unscorable'),
    },
    dataset_token: await signToken(claims, key),
    expires_at: new Date(expiresAt * 1000).toISOString(),
    warnings: warningsOf(items, {
      excluded: excluded.length,
      beyondMax,
      judgeUnused: judge !== null && needJudge.length === 0,
    }),
  };
}

/** As the token names it, and as the script must. */
export function packTarget({ target }: PackRequest): Target {
  const { preset, origin, display_name } = target;
  return { preset, origin, display_name: display_name ?? defaultDisplayName(preset, origin) };
}

function agreedJudge(
  request: PackRequest,
  needJudge: readonly Item[],
  provider: PackContext['judgeProvider'],
): Judge | null {
  const judge = request.judge ?? null;
  if (judge === null) {
    if (needJudge.length === 0) return null;
    const ids = needJudge.map(({ id }) => id);
    throw new HarnessProblem(
      'judge_required',
      `${ids.length} items can only be scored by a judge, and none is chosen: ${someOf(ids)}.`,
      ids.map((id) => ({ path: 'judge', code: 'judge_required', message: `${id} needs a judge.`, item_id: id })),
      'Choose an API provider and a model as judge, or leave these items out.',
    );
  }
  if (provider?.id !== judge.provider_id || provider.surface !== 'api') {
    const message =
      provider?.id === judge.provider_id
        ? "A browser provider can't judge."
        : `There is no provider ${judge.provider_id}.`;
    throw new HarnessProblem(
      'judge_provider_invalid',
      message,
      [{ path: 'judge.provider_id', code: 'judge_provider_invalid', message }],
      'Choose an API provider.',
    );
  }
  if (judge.model.trim() === '') {
    const message = 'The judge has no model.';
    throw new HarnessProblem('judge_model_missing', message, [
      { path: 'judge.model', code: 'judge_model_missing', message },
    ]);
  }
  return judge;
}

function warningsOf(
  items: readonly Item[],
  about: { excluded: number; beyondMax: number; judgeUnused: boolean },
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string, ids: readonly string[] = []): void => {
    warnings.push({ code, message, ...(ids.length > 0 ? { item_ids: ids } : {}) });
  };
  if (about.excluded > 0)
    warn('items_excluded', `${about.excluded} items of the scope can't be captured and are left out.`);
  if (about.beyondMax > 0)
    warn('max_items', `${about.beyondMax} more items are in the scope; max_items leaves them out.`);
  if (about.judgeUnused) warn('judge_unused', 'A judge is chosen, and no item of this pack needs one.');
  const unscorable = items.filter((item) => scoringMethod(item) === 'unscorable').map(({ id }) => id);
  if (unscorable.length > 0) {
    warn(
      'unscorable',
      `${unscorable.length} items have neither answer nor criteria: they are captured, not scored.`,
      unscorable,
    );
  }
  const blind = items.filter(hidesItsChoices).map(({ id }) => id);
  if (blind.length > 0) {
    warn('choices_not_in_prompt', `${blind.length} prompts don't show the options that they ask about.`, blind);
  }
  return warnings;
}

/** Only prompts reach the page: options that are not written in it are never seen. */
function hidesItsChoices({ choices, prompt_text }: Item): boolean {
  return choices?.some((choice) => !prompt_text.includes(choice)) ?? false;
}
