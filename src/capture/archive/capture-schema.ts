/**
 * Reads the captures of the in-page script (formats.ts). Unknown fields are dropped, so that the captures of a newer script can still be read.
 * The texts come from an untrusted page. They are bounded here, and are only stored and shown as text.
 */
import { z } from 'zod';
import { MAX_ID, MAX_PROMPT, MAX_RESPONSE } from '../../cases/index.ts';
import { judgeSchema } from '../../runs/index.ts';
import { CAPTURE_FORMAT, type Capture as WrittenCapture } from '../formats.ts';

/** Checks that the schema of an object has exactly the names of the format. */
type Fields<T> = { [K in keyof T]-?: z.ZodType };

const [FIRST_YEAR, LAST_YEAR] = [2000, 2200];
const time = z.iso.datetime({ offset: true }).refine((text) => {
  const year = new Date(text).getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR;
}, 'must be a date between 2000 and 2200');

const label = z.string().max(500);

export const manifestSchema = z.object({
  format: z.literal(CAPTURE_FORMAT),
  exported_at: time,
  item_count: z.int().nonnegative(),
  error_count: z.int().nonnegative(),
  runtime_revision: label.optional(),
  preset_revision: label.optional(),
  /** Why an answer counts as complete although the page never showed it as finished, by item id. */
  flags: z.record(z.string().max(MAX_ID), z.string().max(50)).optional(),
} satisfies Fields<WrittenCapture['manifest']>);

export const browserHarnessSchema = z.object({
  /** Checked by the rules of the token, which have their own error codes. */
  dataset_token: z.unknown().optional(),
  target: z.object({ preset: label, origin: label, display_name: label.optional() }),
  judge: judgeSchema.nullish(),
  session: z.object({ started_at: time, finished_at: time }),
  label: label.nullish(),
} satisfies Fields<WrittenCapture['browser_harness']>);

export const resultSchema = z.object({
  dataset_item_id: z.string().min(1).max(MAX_ID),
  prompt_text: z.string().max(MAX_PROMPT),
  response: z.string().max(MAX_RESPONSE),
  error: z.object({ code: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/), message: z.string().max(10_000) }).nullable(),
  timing: z.object({ started_at: time, finished_at: time, latency_ms: z.number().nonnegative().max(1e9) }),
  model_label: label.nullable(),
} satisfies Fields<WrittenCapture['results'][number]>);

export type CaptureManifest = z.infer<typeof manifestSchema>;
export type BrowserHarness = z.infer<typeof browserHarnessSchema>;
export type CaptureResult = z.infer<typeof resultSchema>;

/** The capture that an import uses. It is less strict than the output of the current script, because older and newer scripts write captures too. */
export interface Capture {
  readonly manifest: CaptureManifest;
  readonly browser_harness: BrowserHarness;
  readonly results: readonly CaptureResult[];
}
