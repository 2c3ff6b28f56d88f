/** Runs beside each other: two of them compared, or all of one experiment. */
import { createRoute, z } from '@hono/zod-openapi';
import {
  type ComparisonView,
  compareAnyRuns,
  type ExperimentView,
  readExperiment,
  SampleReader,
} from '../../runs/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { wireAnyRun } from './all-runs.ts';
import { json } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const tags = ['all runs'];

const comparisonSchema = z.custom<ComparisonView>().openapi({
  type: 'object',
  description: 'The verdict, its evidence, the tables, and where the trajectories part: what `waymark compare` prints',
});
type WireExperiment = Omit<ExperimentView, 'runs'> & {
  runs: (Omit<ExperimentView['runs'][number], 'run'> & { run: ReturnType<typeof wireAnyRun> })[];
};
const experimentSchema = z.custom<WireExperiment>().openapi({
  type: 'object',
  description: 'The runs of the experiment, oldest first, and each case with its outcome in each of them',
});

const compare = createRoute({
  method: 'get',
  path: '/all-runs/compare',
  operationId: 'compareAnyRuns',
  summary: 'Two runs that have cases in common, b against a, as `waymark compare` compares them',
  description:
    'For runs of agents, wherever they are kept, and for runs of questions in folders. `GET /runs/compare` compares runs of a stored dataset.',
  tags,
  request: {
    query: z.object({
      a: z.string().max(200),
      b: z.string().max(200),
      counting: z.enum(['valid', 'strict']).default('valid').openapi({
        description: '`strict` counts faults that were not the agent’s as not passed',
      }),
    }),
  },
  responses: { 200: json('The comparison', comparisonSchema), ...problemResponses(400, 404, 422) },
});

const experiment = createRoute({
  method: 'get',
  path: '/experiments/{label}',
  operationId: 'getExperiment',
  summary: 'The runs of one experiment together',
  tags,
  request: { params: z.object({ label: z.string().max(200) }) },
  responses: { 200: json('The experiment', experimentSchema), ...problemResponses(404) },
});

export type ExperimentRoutes = typeof compare | typeof experiment;

export function experimentRoutes({ store, artifacts, folders, checks }: RouteContext): Router {
  const samples = new SampleReader({ store, artifacts, folders, checks });
  const router = newRouter();
  router.openapi(compare, async (c) => {
    const { a, b, counting } = c.req.valid('query');
    return c.json(await compareAnyRuns(samples, { a, b }, counting), 200);
  });
  router.openapi(experiment, async (c) => {
    const found = await readExperiment({ db: store.db, folders }, samples, c.req.valid('param').label);
    return c.json({ ...found, runs: found.runs.map((one) => ({ ...one, run: wireAnyRun(one.run) })) }, 200);
  });
  return router;
}
