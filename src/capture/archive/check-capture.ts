/** Checks that a capture belongs to its token and dataset, and makes a plan of what to import. */

import { invalid } from '../../archives/index.ts';
import type { Dataset, Item } from '../../cases/index.ts';
import { promptHash } from '../../cases/index.ts';
import type { Warning } from '../../errors/index.ts';
import { type ErrorCode, type ProblemIssue, someOf, WaymarkError } from '../../errors/index.ts';
import { type Judge, judgeHash } from '../../runs/index.ts';
import type { Target } from '../formats.ts';
import type { VerifiedToken } from '../tokens/verify-token.ts';
import type { Capture, CaptureResult } from './capture-schema.ts';
import { captureWarnings } from './capture-warnings.ts';
import { type PlannedItem, planItem } from './plan-item.ts';

export interface ImportPlan {
  readonly pack_id: string;
  readonly dataset_id: string;
  readonly version_hash: string;
  readonly target: Target;
  readonly judge: Judge | null;
  readonly label: string | null;
  /** The time by the capture's clock. */
  readonly started_at: string;
  readonly finished_at: string;
  readonly exported_at: string;
  readonly runtime_revision: string | null;
  readonly preset_revision: string | null;
  readonly model_labels: readonly string[];
  readonly counts: {
    readonly expected: number;
    readonly received: number;
    readonly answered: number;
    readonly errored: number;
    readonly missing: number;
  };
  /** All items of the pack in its order, including missing ones. */
  readonly items: readonly PlannedItem[];
  readonly warnings: readonly Warning[];
}

/** @throws WaymarkError before anything is written. */
export function checkCapture(capture: Capture, token: VerifiedToken, dataset: Dataset): ImportPlan {
  const { claims } = token;
  if (claims.dataset_id !== dataset.id) {
    throw new WaymarkError({
      code: 'dataset_not_found',
      message: `The dataset ${claims.dataset_id} of this pack is not here.`,
    });
  }
  const packed = checkDataset(token, dataset);
  checkTarget(capture, claims.target);
  const judge = capture.browser_harness.judge ?? null;
  if (judgeHash(judge) !== claims.judge_hash) {
    throw invalid('judge_mismatch', 'browser_harness.judge', 'its judge is not the one that the pack was made with.');
  }
  const results = checkResults(
    capture.results,
    claims.items.map(([id, hash]) => [id, hash] as const),
  );
  const { exported_at, runtime_revision, preset_revision } = capture.manifest;
  // A Map, because an item may be called "constructor".
  const flags = new Map(Object.entries(capture.manifest.flags ?? {}));
  const items = packed.map((item, index) => planItem(item, index + 1, results.get(item.id), flags.get(item.id)));
  const count = (status: PlannedItem['status']): number => items.filter((item) => item.status === status).length;
  const { session, label } = capture.browser_harness;
  const model_labels = [...new Set(items.flatMap(({ model_label }) => (model_label === null ? [] : [model_label])))];
  return {
    pack_id: claims.jti,
    dataset_id: dataset.id,
    version_hash: dataset.version_hash,
    target: claims.target,
    judge,
    label: label ?? null,
    started_at: session.started_at,
    finished_at: session.finished_at,
    exported_at,
    runtime_revision: runtime_revision ?? null,
    preset_revision: preset_revision ?? null,
    model_labels,
    counts: {
      expected: items.length,
      received: results.size,
      answered: count('answered'),
      errored: count('error'),
      missing: count('missing'),
    },
    items,
    warnings: captureWarnings({ items, model_labels, session, claims }),
  };
}

/**
 * The pack's items from the dataset, after checking that they are unchanged. The hash of the version says so for all items at once; the
 * fingerprints, which take as long as an import's other checks together, only say which of them were changed.
 */
function checkDataset({ claims, fingerprint, isOfVersion }: VerifiedToken, dataset: Dataset): Item[] {
  const isSame = isOfVersion(dataset.version_hash);
  const byId = new Map(dataset.items.map((item) => [item.id, item]));
  const issues: ProblemIssue[] = [];
  const packed: Item[] = [];
  for (const [id, , print] of claims.items) {
    const item = byId.get(id);
    if (item) packed.push(item);
    if (!item) issues.push({ path: 'items', code: 'removed', message: `${id} was removed.`, item_id: id });
    else if (!isSame && fingerprint(item) !== print) {
      issues.push({ path: 'items', code: 'changed', message: `${id} was changed.`, item_id: id });
    }
  }
  if (issues.length === 0 && isSame) return packed;
  const of = (code: string): number => issues.filter((issue) => issue.code === code).length;
  const what =
    issues.length > 0
      ? `${of('changed')} items of the pack were changed and ${of('removed')} removed`
      : 'other items than those of the pack were changed, added or removed';
  throw new WaymarkError({
    code: 'dataset_changed',
    message: `The dataset ${dataset.name} is not the version that the pack was made of: ${what}.`,
    issues,
    hint: 'Bring back that version of the dataset, or make a new pack and capture again.',
  });
}

function checkTarget(capture: Capture, wanted: Target): void {
  const { target } = capture.browser_harness;
  const issues = (['preset', 'origin'] as const)
    .filter((field) => target[field] !== wanted[field])
    .map((field) => ({
      path: `browser_harness.target.${field}`,
      code: 'target_mismatch',
      message: `The pack is for ${wanted[field]}; the capture says ${JSON.stringify(target[field].slice(0, 100))}.`,
    }));
  if (issues.length > 0) {
    throw new WaymarkError({
      code: 'target_mismatch',
      message: `The capture is of another page: ${issues[0]?.message ?? ''}`,
      issues,
    });
  }
}

function checkResults(
  results: readonly CaptureResult[],
  packed: readonly (readonly [id: string, hash: string])[],
): Map<string, CaptureResult> {
  if (results.length === 0) throw new WaymarkError({ code: 'empty_capture', message: 'The capture holds no results.' });
  const hashes = new Map(packed);
  const byId = new Map<string, CaptureResult>();
  const found: Record<'duplicate_items' | 'unknown_items' | 'prompt_mismatch', ProblemIssue[]> = {
    duplicate_items: [],
    unknown_items: [],
    prompt_mismatch: [],
  };
  results.forEach((result, index) => {
    const id = result.dataset_item_id;
    const add = (code: keyof typeof found, message: string): void => {
      found[code].push({ path: `results[${index}]`, code, message, item_id: id });
    };
    if (byId.has(id)) add('duplicate_items', `${id} is there more than once.`);
    else byId.set(id, result);
    const hash = hashes.get(id);
    if (hash === undefined) add('unknown_items', `${id} is not in the pack.`);
    else if (hash !== promptHash(result.prompt_text)) add('prompt_mismatch', `${id} was asked with another prompt.`);
  });
  refuseIfAny('duplicate_items', found.duplicate_items, 'come more than once');
  refuseIfAny('unknown_items', found.unknown_items, 'are not in the pack');
  refuseIfAny('prompt_mismatch', found.prompt_mismatch, 'were asked with another prompt');
  return byId;
}

function refuseIfAny(code: ErrorCode, issues: readonly ProblemIssue[], what: string): void {
  if (issues.length === 0) return;
  const ids = issues.map(({ item_id = '' }) => item_id);
  throw new WaymarkError({ code, message: `${ids.length} results ${what}: ${someOf(ids)}.`, issues });
}
