/** What people change of runs: a label, tags; and runs that are deleted. */
import { createRoute, z } from '@hono/zod-openapi';
import { deleteRun, editRun, listTags, runEditSchema } from '../../runs/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { wireRun } from '../wire-names.ts';
import { body, idParam, json } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { runSchema } from './run-schemas.ts';

const tags = ['runs'];

const listOfTags = createRoute({
  method: 'get',
  path: '/runs/tags',
  operationId: 'listTags',
  summary: 'The tags that runs have, with how many runs have each',
  tags,
  responses: { 200: json('Tags', z.object({ tags: z.array(z.object({ tag: z.string(), runs: z.int() })) })) },
});

const edit = createRoute({
  method: 'patch',
  path: '/runs/{id}',
  operationId: 'updateRun',
  summary: 'Rename a run, or replace its tags; a field that is left out stays as it is',
  tags,
  request: { params: idParam, body: body(runEditSchema) },
  responses: { 200: json('The run', runSchema), ...problemResponses(400, 404) },
});

const remove = createRoute({
  method: 'delete',
  path: '/runs/{id}',
  operationId: 'deleteRun',
  summary: 'Delete a run that has ended, with its answers, grades, log and files',
  description:
    'The dataset, the provider and the pack stay. The capture of a deleted run can be imported again. A run that is under way, or that a worker scores or grades at the moment, is refused.',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Gone' }, ...problemResponses(404, 409) },
});

export type RunChangeRoutes = typeof listOfTags | typeof edit | typeof remove;

export function runChangeRoutes({ store, queue, artifacts }: RouteContext): Router {
  const router = newRouter();
  router.openapi(listOfTags, async (c) => c.json({ tags: await listTags(store.db) }, 200));
  router.openapi(edit, async (c) =>
    c.json(wireRun(await editRun(store.db, c.req.valid('param').id, c.req.valid('json'))), 200),
  );
  router.openapi(remove, async (c) => {
    await deleteRun({ store, queue, artifacts }, c.req.valid('param').id);
    return c.body(null, 204);
  });
  return router;
}
