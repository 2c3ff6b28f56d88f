/** The overview of all runs: what the first page of the web app shows. */
import { createRoute, z } from '@hono/zod-openapi';
import { readOverview } from '../../runs/index.ts';
import { schema } from '../../store/index.ts';
import { newRouter, type Router } from '../route-module.ts';
import { wireOverview } from '../wire-overview.ts';
import { json } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { interval, ratio, runSchema } from './run-schemas.ts';

const datasetRef = z.object({ id: z.string(), name: z.string() });

const modelSchema = z.object({
  provider: z.object({ id: z.string(), name: z.string(), surface: z.enum(schema.SURFACES) }),
  model: z.string().nullable().openapi({
    description: 'The model that was asked, or the models that a chat page named; null where none is known',
  }),
});

const pointSchema = z
  .object({
    run_id: z.string(),
    label: z.string(),
    is_current: z.boolean().openapi({ description: 'Whether the dataset is still the version that was run' }),
    total: z.int().openapi({ description: 'Items of the run' }),
    scored: z.int(),
    passed: z.int(),
    accuracy: ratio.openapi({ description: 'passed / scored' }),
    coverage: ratio.openapi({ description: 'scored / total' }),
    interval: interval.openapi({ description: 'Wilson’s interval of the accuracy, 95 %' }),
    created_at: z.string(),
  })
  .openapi('ScoredRun');

const overviewSchema = z
  .object({
    latest: z.array(runSchema).openapi({ description: 'The newest runs, newest first' }),
    failed: z.array(runSchema).openapi({
      description:
        'Of the newest 500 runs those that failed, could not be scored, or completed with items that came to an error; newest first',
    }),
    totals: z.object({ runs: z.int(), under_way: z.int(), datasets: z.int() }),
    trends: z
      .array(z.object({ dataset: datasetRef, points: z.array(pointSchema.extend(modelSchema.shape)) }))
      .openapi({ description: 'Up to 30 scored runs of each dataset, oldest first; datasets by their newest run' }),
    table: z
      .object({
        models: z.array(modelSchema.extend({ key: z.string() })),
        rows: z.array(
          z.object({
            dataset: datasetRef,
            cells: z.array(
              pointSchema.extend({
                model_key: z.string(),
                runs: z
                  .int()
                  .openapi({ description: 'Scored runs of this model on this dataset; the newest is shown' }),
              }),
            ),
          }),
        ),
      })
      .openapi({
        description: 'The newest scored run of each model on each dataset; a model has no cell where it has none',
      }),
  })
  .openapi('Overview');

const get = createRoute({
  method: 'get',
  path: '/overview',
  operationId: 'getOverview',
  summary: 'What ran last, what failed, the trend of each dataset, and each model on each dataset with its interval',
  tags: ['runs'],
  responses: { 200: json('The overview', overviewSchema) },
});

export type OverviewRoutes = typeof get;

export function overviewRoutes({ store }: RouteContext): Router {
  const router = newRouter();
  router.openapi(get, async (c) => c.json(wireOverview(await readOverview(store.db)), 200));
  return router;
}
