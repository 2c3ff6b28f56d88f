/** Makes a signed pack of prompts. Only the fields that are named here are included: no answers, no checkers, no choices. */
import { randomUUID } from 'node:crypto';
import { canonicalHash, type Dataset, promptHash, sectionsOf } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { agreedJudge, chooseQuestions, FOR_PACK, judgeHash } from '../../runs/index.ts';
import type { Pack, Target } from '../formats.ts';
import { DEFAULT_TTL_S } from '../limits.ts';
import { defaultDisplayName } from '../target.ts';
import { TOKEN_AUDIENCE, type TokenClaims } from '../tokens/claims.ts';
import { signToken } from '../tokens/sign-token.ts';
import { itemFingerprints, keyedVersion, type TokenKeys } from '../tokens/token-keys.ts';
import type { PackRequest } from './pack-request.ts';

export interface PackContext {
  /** The stored provider for `request.judge.provider_id`; undefined when there is none. */
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
    throw new WaymarkError({ code: 'dataset_not_found', message: `There is no dataset ${request.dataset_id}.` });
  }
  const chosen = chooseQuestions(dataset, request, FOR_PACK, { hasJudge: Boolean(request.judge) });
  const { items, excluded, needJudge, scoring, warnings } = chosen;
  const judge = agreedJudge(request.judge, needJudge, context.judgeProvider);
  const packId = (context.newId ?? randomUUID)();
  const issuedAt = Math.floor(now.getTime() / 1000);
  const expiresAt = issuedAt + (request.ttl_s ?? DEFAULT_TTL_S);
  const key = keys.current;
  const fingerprint = itemFingerprints(key, packId);
  const version = keyedVersion(key, packId, dataset.version_hash);
  const claims: TokenClaims = {
    aud: TOKEN_AUDIENCE,
    jti: packId,
    iat: issuedAt,
    exp: expiresAt,
    dataset_id: dataset.id,
    version_hash: version,
    item_count: items.length,
    item_ids_hash: canonicalHash(items.map(({ id }) => id)),
    items: items.map((item) => [item.id, promptHash(item.prompt_text), fingerprint(item)]),
    target: packTarget(request),
    judge_hash: judgeHash(judge),
  };
  return {
    pack_id: packId,
    dataset: { id: dataset.id, name: dataset.name, version_hash: version },
    sections: sectionsOf(items),
    items: items.map(({ id, section, prompt_text }, index) => ({ id, seq: index + 1, section, prompt_text })),
    excluded,
    scoring,
    dataset_token: await signToken(claims, key),
    expires_at: new Date(expiresAt * 1000).toISOString(),
    warnings,
  };
}

/** The target, as in the token and in the script. */
export function packTarget({ target }: PackRequest): Target {
  const { preset, origin, display_name } = target;
  return { preset, origin, display_name: display_name ?? defaultDisplayName(preset, origin) };
}
