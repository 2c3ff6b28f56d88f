/** Graders that ask a model. */
import * as z from 'zod';
import { graderNameSchema } from './grader-name.ts';

export const webvoyagerSpecSchema = z.strictObject({
  grader: z.literal('webvoyager'),
  name: graderNameSchema.optional(),
  /** The last so many screenshots are shown. */
  pictures: z.int().min(1).max(50).optional(),
});
export type WebvoyagerSpec = z.infer<typeof webvoyagerSpecSchema>;

export const webjudgeSpecSchema = z.strictObject({
  grader: z.literal('webjudge'),
  name: graderNameSchema.optional(),
  /** Screenshots with this score or more are kept. */
  threshold: z.int().min(1).max(5).optional(),
  /** At most so many screenshots are scored, and so many are shown with the verdict. */
  maxScored: z.int().min(1).max(200).optional(),
  maxPictures: z.int().min(1).max(50).optional(),
});
export type WebjudgeSpec = z.infer<typeof webjudgeSpecSchema>;

export const rubricCriterionSchema = z.strictObject({
  id: graderNameSchema,
  /** What must be so, in a way that can be checked. */
  description: z.string().min(1).max(2_000),
  /** Of what the agent did, or of what came out. */
  about: z.enum(['process', 'outcome']),
  weight: z.number().gt(0).max(1_000),
  /** Without it the attempt does not pass. */
  required: z.boolean().optional(),
});
export type RubricCriterion = z.infer<typeof rubricCriterionSchema>;

export const rubricSpecSchema = z.strictObject({
  grader: z.literal('rubric'),
  name: graderNameSchema.optional(),
  /** Without criteria the judge writes some from the case, and they are kept with the grade. */
  criteria: z
    .array(rubricCriterionSchema)
    .min(1)
    .max(30)
    .refine((criteria) => new Set(criteria.map(({ id }) => id)).size === criteria.length, {
      error: 'has two criteria with the same "id"',
    })
    .optional(),
  passAt: z.number().min(0).max(1).optional(),
  /** The last so many screenshots are shown. */
  pictures: z.int().min(0).max(50).optional(),
});
export type RubricSpec = z.infer<typeof rubricSpecSchema>;

export const performanceSpecSchema = z.strictObject({
  grader: z.literal('performance'),
  name: graderNameSchema.optional(),
  /** Of 100. */
  passAt: z.number().min(0).max(100).optional(),
});
export type PerformanceSpec = z.infer<typeof performanceSpecSchema>;
