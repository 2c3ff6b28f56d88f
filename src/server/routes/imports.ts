/** Captures in, runs out. */
import { createRoute, z } from '@hono/zod-openapi';
import { getImport, importCapture, LastDataset } from '../../capture/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { idempotencyHeader } from './idempotency-header.ts';
import { readUpload } from './read-upload.ts';
import { idParam, json, uploadBody, warningSchema } from './respond.ts';
import type { RouteContext } from './route-context.ts';

const CAPTURE_TYPES = [
  'multipart/form-data',
  'application/zip',
  'application/x-zip-compressed',
  'application/octet-stream',
  'application/json',
];

const answerSchema = z
  .object({
    import_id: z.string(),
    run_id: z.string(),
    provider_id: z.string(),
    provider_name: z.string(),
    provider_reused: z.boolean(),
    dataset_reused: z.boolean(),
    scoring_queued: z.boolean(),
    counts: z.object({
      expected: z.int(),
      received: z.int(),
      answered: z.int(),
      errored: z.int(),
      missing: z.int(),
    }),
    warnings: z.array(warningSchema).readonly(),
    /** It was added to the run of an earlier capture of the same pack. */
    merged: z.literal(true).optional(),
  })
  .openapi('Import');

const post = createRoute({
  method: 'post',
  path: '/browser-harness/imports',
  operationId: 'importCapture',
  summary: 'Import a capture: a run, and the job that scores it',
  description:
    'The same capture is imported once, however often it was downloaded. A capture that adds results to an earlier one of the same pack becomes a part of its run (`merged`). With an `Idempotency-Key`, a repeated request is answered like the first; the same key with another file is refused',
  tags: ['browser harness'],
  request: { headers: idempotencyHeader },
  requestBody: uploadBody(CAPTURE_TYPES),
  responses: {
    200: json('Imported before: nothing in it is new', answerSchema.extend({ duplicate: z.literal(true) })),
    201: json('Imported', answerSchema),
    ...problemResponses(400, 401, 404, 409, 410, 413, 415, 422),
  },
});

const get = createRoute({
  method: 'get',
  path: '/browser-harness/imports/{id}',
  operationId: 'getImport',
  summary: 'An import',
  tags: ['browser harness'],
  request: { params: idParam },
  responses: {
    200: json('The import', answerSchema.extend({ payload_sha256: z.string(), imported_at: z.string() })),
    ...problemResponses(404),
  },
});

export type ImportRoutes = typeof post | typeof get;

export function importRoutes(context: RouteContext): Router {
  const router = newRouter();
  const lastDataset = new LastDataset();
  router.openapi(post, async (c) => {
    const { bytes } = await readUpload(c, CAPTURE_TYPES);
    const idempotencyKey = c.req.valid('header')['idempotency-key'];
    const { kind, ...answer } = await importCapture({ ...context, lastDataset }, { bytes, idempotencyKey });
    if (kind === 'duplicate') return c.json({ ...answer, duplicate: true as const }, 200);
    return c.json(kind === 'merged' ? { ...answer, merged: true as const } : answer, 201);
  });
  router.openapi(get, async (c) => c.json(await getImport(context.store.db, c.req.valid('param').id), 200));
  return router;
}
