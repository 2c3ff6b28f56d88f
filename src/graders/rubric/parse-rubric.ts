/** The replies of the judge: criteria that it wrote, and its scores. What is not whole counts for nothing. */
import * as z from 'zod';
import { type RubricCriterion, rubricCriterionSchema } from '../../cases/schemas.ts';
import { readJsonReply } from '../judge/read-json-reply.ts';
import type { CriterionScore } from './rubric-score.ts';

const MAX_REASON = 2_000;

/** Tolerant of further fields, and of names that are written otherwise. */
const writtenSchema = z.object({
  ...rubricCriterionSchema.shape,
  id: z
    .string()
    .transform((id) =>
      id
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    )
    .pipe(rubricCriterionSchema.shape.id),
});
const criteriaSchema = z.object({ criteria: z.array(writtenSchema).min(1).max(30) });

const scoresSchema = z.object({
  scores: z.array(
    z.object({
      id: z.string(),
      score: z.number().min(0).max(1),
      reason: z.string(),
      outside_control: z.boolean(),
    }),
  ),
});

/** Undefined where the judge wrote none that can be used. At least one must be about the outcome: a good try alone is no success. */
export function parseCriteria(reply: string): RubricCriterion[] | undefined {
  const criteria = readJsonReply(reply, criteriaSchema)?.criteria;
  const ids = new Set(criteria?.map(({ id }) => id));
  const isUsable = ids.size === criteria?.length && criteria.some(({ about }) => about === 'outcome');
  return isUsable ? criteria : undefined;
}

/** Undefined unless each criterion has exactly one score: a criterion that was left out is neither met nor missed. */
export function parseScores(
  reply: string,
  criteria: readonly RubricCriterion[],
): Map<string, CriterionScore> | undefined {
  const said = readJsonReply(reply, scoresSchema)?.scores;
  if (!said || said.length !== criteria.length) return undefined;
  const scores = new Map(
    said.map(({ id, score, reason, outside_control: outsideControl }) => [
      id,
      { id, score, reason: reason.slice(0, MAX_REASON), outsideControl },
    ]),
  );
  return criteria.every(({ id }) => scores.has(id)) ? scores : undefined;
}
