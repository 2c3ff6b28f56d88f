/** What a list of runs is filtered, searched and sorted by, in the query of its address. */
import { z } from '@hono/zod-openapi';
import { RUN_SORTS } from '../../runs/index.ts';
import { schema } from '../../store/index.ts';
import { textQuery } from './respond.ts';

export const runFilterQuery = {
  dataset_id: textQuery,
  provider_id: textQuery,
  surface: z.enum(schema.SURFACES).optional(),
  status: z.enum(schema.RUN_STATUSES).optional(),
  scoring_status: z.enum(schema.GRADING_STATUSES).optional(),
  tag: textQuery,
  search: textQuery.openapi({
    description:
      'Part of the label, of a tag, of the model or of the name of the dataset or provider, in any case; or the start of the id',
  }),
  sort: z.enum(RUN_SORTS).default('created'),
  order: z.enum(['asc', 'desc']).default('desc'),
};
