/** A row of WebArena, WebArena-Lite or VisualWebArena, as far as it is used here. */
import { z } from 'zod';

const text = z.string().max(10_000);
const texts = z.array(text).min(1).max(100);
/** WebArena-Lite has one text where the others have a list of one. */
const oneOrMore = z.union([text.min(1).transform((one) => [one]), texts], { error: 'must be a list of texts' });

export const webarenaRowSchema = z.object({
  task_id: z.int().min(0),
  /** Of WebArena-Lite: the number of the row in WebArena. */
  old_task_id: z.int().min(0).optional(),
  sites: z.array(text.regex(/^[a-z][a-z_]{0,30}$/, { error: 'must be lower-case letters and "_"' })).max(10),
  require_login: z.boolean().optional(),
  start_url: text.min(1),
  intent: text.min(1),
  /** Of VisualWebArena: pictures that belong to the intent. */
  image: z.union([text, z.array(text).max(100)]).nullish(),
  eval: z.object({
    eval_types: z.array(text).min(1).max(10),
    reference_answers: z
      .object({
        exact_match: text.min(1).optional(),
        must_include: oneOrMore.optional(),
        must_exclude: texts.optional(),
        one_of: texts.optional(),
        fuzzy_match: z.union([text, texts]).optional(),
        required_values: texts.optional(),
      })
      .nullish(),
    reference_url: text.nullish(),
    url_note: text.optional(),
    program_html: z
      .array(
        z.object({
          url: text,
          locator: text,
          required_contents: z.object({
            exact_match: text.optional(),
            must_include: texts.optional(),
            must_exclude: texts.optional(),
            required_values: texts.optional(),
            fuzzy_match: z.union([text, texts]).optional(),
          }),
          prep_actions: z.array(text).optional(),
        }),
      )
      .max(100)
      .nullish(),
  }),
});
export type WebarenaRow = z.infer<typeof webarenaRowSchema>;
export type PageRule = NonNullable<WebarenaRow['eval']['program_html']>[number];

/** What the three benchmarks do differently. */
export interface Variant {
  readonly id: 'webarena' | 'webarena-lite' | 'visualwebarena';
  readonly name: string;
  /** VisualWebArena: each word is looked for as a whole word, ` |OR| ` separates alternatives in answers, and addresses are compared whole. */
  readonly isVisual: boolean;
}
