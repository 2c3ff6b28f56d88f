/**
 * What the page's runtime writes. Fields that are not known are left out, so that a newer runtime's captures can still be read.
 * Texts are hostile: bounded here, and only ever stored and shown as text.
 */
import { z } from 'zod';
import { MAX_ID, MAX_PROMPT, MAX_RESPONSE } from '../../cases/index.ts';
import { judgeSchema } from '../../runs/index.ts';

export const CAPTURE_FORMAT = 'eval752.browser_harness.v1';

const [FIRST_YEAR, LAST_YEAR] = [2000, 2200];
const time = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}, 'must be a time of our days');

const label = z.string().max(500);

export const manifestSchema = z.object({
  format: z.literal(CAPTURE_FORMAT),
  exported_at: time,
  item_count: z.int().nonnegative(),
  error_count: z.int().nonnegative(),
  runtime_revision: label.optional(),
  preset_revision: label.optional(),
  /** Why an answer counts as whole although the page never said so, by item id. */
  flags: z.record(z.string().max(MAX_ID), z.string().max(50)).optional(),
});

export const browserHarnessSchema = z.object({
  /** Looked at by the token's own rules, which have codes of their own. */
  dataset_token: z.unknown().optional(),
  target: z.object({ preset: label, origin: label, display_name: label.optional() }),
  judge: judgeSchema.nullish(),
  session: z.object({ started_at: time, finished_at: time }),
  label: label.nullish(),
});

export const resultSchema = z.object({
  dataset_item_id: z.string().min(1).max(MAX_ID),
  prompt_text: z.string().max(MAX_PROMPT),
  response: z.string().max(MAX_RESPONSE),
  error: z.object({ code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), message: z.string().max(10_000) }).nullable(),
  timing: z.object({ started_at: time, finished_at: time, latency_ms: z.number().nonnegative().max(1e9) }),
  model_label: label.nullable(),
});

export type CaptureManifest = z.infer<typeof manifestSchema>;
export type BrowserHarness = z.infer<typeof browserHarnessSchema>;
export type CaptureResult = z.infer<typeof resultSchema>;

export interface Capture {
  readonly manifest: CaptureManifest;
  readonly browser_harness: BrowserHarness;
  readonly results: readonly CaptureResult[];
}
