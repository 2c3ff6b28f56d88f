/** Datasets: in as JSON, JSONL or a bundle, out as JSONL or a bundle. */
import { createRoute, z } from '@hono/zod-openapi';
import { ITEM_TYPES, readDataset, toJsonl, writeBundle } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import {
  createDataset,
  datasetSections,
  deleteDataset,
  getDataset,
  listDatasetItems,
  listDatasets,
  loadDataset,
  replaceItems,
  reportOf,
} from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { readUpload } from './read-upload.ts';
import { afterQuery, idParam, isStorable, json, limitQuery, STORABLE, textQuery, uploadBody } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const FILE_TYPES = [
  'multipart/form-data',
  'application/x-ndjson',
  'application/jsonl',
  'text/plain',
  'application/zip',
  'application/octet-stream',
];

const nameSchema = z.string().trim().min(1).max(200).refine(isStorable, STORABLE);
const datasetSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    version_hash: z.string(),
    item_count: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('Dataset');
/** As it was read; `answer` is any JSON there is. */
const itemSchema = z
  .object({
    id: z.string(),
    type: z.enum(ITEM_TYPES),
    section: z.string(),
    prompt_text: z.string(),
    choices: z.array(z.string()).optional(),
    answer: z.unknown().optional(),
    checker: z.looseObject({ kind: z.string() }).optional(),
    criteria: z.string().optional(),
    meta: z.record(z.string(), z.unknown()),
  })
  .openapi('DatasetItem');
const tags = ['datasets'];

const create = createRoute({
  method: 'post',
  path: '/datasets',
  operationId: 'createDataset',
  summary: 'Make a dataset',
  tags,
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.object({
            name: nameSchema,
            description: z.string().max(10_000).refine(isStorable, STORABLE).optional(),
            // Looked at one by one later, so that the report can name each.
            items: z.array(z.unknown()),
          }),
        },
      },
    },
  },
  responses: { 201: json('The dataset', datasetSchema), ...problemResponses(400, 413, 422) },
});

const importFile = createRoute({
  method: 'post',
  path: '/datasets/import',
  operationId: 'importDataset',
  summary: 'Make a dataset of a JSONL file or a bundle; whole or not at all, with a report by line',
  tags,
  request: { query: z.object({ name: nameSchema.optional() }) },
  requestBody: uploadBody(FILE_TYPES),
  responses: {
    201: json('The dataset', z.object({ dataset: datasetSchema, lines: z.int(), accepted: z.int() })),
    ...problemResponses(400, 413, 415, 422),
  },
});

const replace = createRoute({
  method: 'put',
  path: '/datasets/{id}/items',
  operationId: 'replaceDatasetItems',
  summary: 'Put other items in the place of those that are there: a new version',
  tags,
  request: { params: idParam },
  requestBody: uploadBody(FILE_TYPES),
  responses: { 200: json('The dataset', datasetSchema), ...problemResponses(400, 404, 413, 415, 422) },
});

const list = createRoute({
  method: 'get',
  path: '/datasets',
  operationId: 'listDatasets',
  summary: 'Datasets, newest first',
  tags,
  request: { query: z.object({ limit: limitQuery, before: textQuery }) },
  responses: { 200: json('Datasets', z.object({ datasets: z.array(datasetSchema) })), ...problemResponses(400, 404) },
});

const sectionSchema = z.object({ section: z.string(), items: z.int() });
const get = createRoute({
  method: 'get',
  path: '/datasets/{id}',
  operationId: 'getDataset',
  summary: 'A dataset and its sections',
  tags,
  request: { params: idParam },
  responses: {
    200: json('The dataset', datasetSchema.extend({ sections: z.array(sectionSchema) })),
    ...problemResponses(404),
  },
});

const items = createRoute({
  method: 'get',
  path: '/datasets/{id}/items',
  operationId: 'listDatasetItems',
  summary: 'Items of a dataset, answers included',
  tags,
  request: {
    params: idParam,
    query: z.object({ limit: limitQuery, after: afterQuery, section: textQuery }),
  },
  responses: {
    200: json('Items', z.object({ items: z.array(z.object({ seq: z.int(), item: itemSchema })) })),
    ...problemResponses(400, 404),
  },
});

const remove = createRoute({
  method: 'delete',
  path: '/datasets/{id}',
  operationId: 'deleteDataset',
  summary: 'Delete a dataset that no run was made of',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Gone' }, ...problemResponses(404, 409) },
});

const exportFile = createRoute({
  method: 'get',
  path: '/datasets/{id}/export',
  operationId: 'exportDataset',
  summary: 'A dataset as a file',
  tags,
  request: { params: idParam, query: z.object({ format: z.enum(['jsonl', 'bundle']).default('jsonl') }) },
  responses: {
    200: {
      description: 'The file',
      content: { 'application/x-ndjson': { schema: z.string() }, 'application/zip': { schema: z.string() } },
    },
    ...problemResponses(400, 404),
  },
});

export type DatasetRoutes =
  | typeof create
  | typeof importFile
  | typeof replace
  | typeof list
  | typeof get
  | typeof items
  | typeof remove
  | typeof exportFile;

export function datasetRoutes({ store, now }: RouteContext): Router {
  const router = newRouter();
  router.openapi(create, async (c) => {
    const { name, description, items: given } = c.req.valid('json');
    return c.json(await createDataset(store, { name, description, report: reportOf(given) }), 201);
  });
  router.openapi(importFile, async (c) => {
    const upload = await readUpload(c, FILE_TYPES);
    const read = await readDataset(upload.bytes);
    const name = c.req.valid('query').name ?? nameSchema.safeParse(upload.fields.get('name')).data ?? read.name;
    if (name === undefined) {
      throw new WaymarkError({
        code: 'request_invalid',
        message: 'The dataset needs a name.',
        issues: [{ path: 'name', code: 'missing', message: 'Give it as ?name=… or as a field of the form.' }],
      });
    }
    const dataset = await createDataset(store, { name, report: read.report });
    return c.json({ dataset, lines: read.report.lines, accepted: read.report.accepted }, 201);
  });
  router.openapi(replace, async (c) => {
    const { report } = await readDataset((await readUpload(c, FILE_TYPES)).bytes);
    return c.json(await replaceItems(store, c.req.valid('param').id, report, now()), 200);
  });
  router.openapi(list, async (c) => c.json({ datasets: await listDatasets(store.db, c.req.valid('query')) }, 200));
  router.openapi(get, async (c) => {
    const dataset = await getDataset(store.db, c.req.valid('param').id);
    return c.json({ ...dataset, sections: await datasetSections(store.db, dataset.id) }, 200);
  });
  router.openapi(items, async (c) => {
    // Named by what every item has: all the JSON that an answer may be is more than the compiler can follow.
    const shown: { seq: number; item: z.infer<typeof itemSchema> }[] = await listDatasetItems(
      store.db,
      c.req.valid('param').id,
      c.req.valid('query'),
    );
    return c.json({ items: shown }, 200);
  });
  router.openapi(remove, async (c) => {
    await deleteDataset(store, c.req.valid('param').id);
    return c.body(null, 204);
  });
  router.openapi(exportFile, async (c) => {
    const dataset = await loadDataset(store.db, c.req.valid('param').id);
    const isBundle = c.req.valid('query').format === 'bundle';
    const file = isBundle ? new Uint8Array(writeBundle(dataset, now())) : toJsonl(dataset.items);
    return c.body(file, 200, {
      'content-type': isBundle ? 'application/zip' : 'application/x-ndjson; charset=utf-8',
      // The id, not the name: a header takes no text from outside.
      'content-disposition': `attachment; filename="${dataset.id}.${isBundle ? 'eval752.zip' : 'jsonl'}"`,
    });
  });
  return router;
}
