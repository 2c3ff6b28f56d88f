/** A row of WebArena's test.raw.json, as far as it is used here. */
import { z } from 'zod';

const text = z.string().max(10_000);
const texts = z.array(text).min(1).max(100);

export const webarenaRowSchema = z.object({
  task_id: z.int().min(0),
  sites: z.array(text).max(10),
  require_login: z.boolean().optional(),
  start_url: text.min(1),
  intent: text.min(1),
  eval: z.object({
    eval_types: z.array(text).min(1).max(10),
    reference_answers: z
      .object({
        exact_match: text.min(1).optional(),
        must_include: texts.optional(),
        fuzzy_match: z.union([text, texts]).optional(),
      })
      .nullish(),
    reference_url: text.nullish(),
    url_note: text.optional(),
    program_html: z
      .array(
        z.object({
          url: text,
          locator: text,
          required_contents: z.object({ exact_match: text.optional(), must_include: texts.optional() }),
          prep_actions: z.array(text).optional(),
        }),
      )
      .max(100)
      .nullish(),
  }),
});
export type WebarenaRow = z.infer<typeof webarenaRowSchema>;
export type PageRule = NonNullable<WebarenaRow['eval']['program_html']>[number];
