/**
 * Reads what the in-page script wrote (formats.ts). Unknown fields are dropped, so that the captures of a newer script can still be read.
 * The texts come from a page that is not trusted: they are bounded here, and only ever stored and shown as text.
 */
import { z } from 'zod';
import { MAX_ID, MAX_PROMPT, MAX_RESPONSE } from '../../cases/index.ts';
import { judgeSchema } from '../../runs/index.ts';
import { CAPTURE_FORMAT, type Capture as WrittenCapture } from '../formats.ts';

/** The schema of an object has the names of the format, no more and no fewer. */
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
  /** Why an answer counts as whole although the page never said so, by item id. */
  flags: z.record(z.string().max(MAX_ID), z.string().max(50)).optional(),
} satisfies Fields<WrittenCapture['manifest']>);

export const browserHarnessSchema = z.object({
  /** Looked at by the token's own rules, which have codes of their own. */
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

/** What an import works with: looser than what today's script writes, since older and newer scripts write captures too. */
export interface Capture {
  readonly manifest: CaptureManifest;
  readonly browser_harness: BrowserHarness;
  readonly results: readonly CaptureResult[];
}
