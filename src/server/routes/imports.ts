/** Captures in, runs out. */
import { createRoute, z } from '@hono/zod-openapi';
import { getImport, importCapture } from '../../capture/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
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
  })
  .openapi('Import');

const post = createRoute({
  method: 'post',
  path: '/browser-harness/imports',
  summary: 'Import a capture: a run, and the job that scores it',
  description:
    'With an `Idempotency-Key`, a repeated request is answered like the first. The same bytes are imported once.',
  tags: ['browser harness'],
  request: { headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }) },
  requestBody: uploadBody(CAPTURE_TYPES),
  responses: {
    200: json('These bytes were imported before', answerSchema.extend({ duplicate: z.literal(true) })),
    201: json('Imported', answerSchema),
    ...problemResponses(400, 401, 404, 409, 410, 413, 415, 422),
  },
});

const get = createRoute({
  method: 'get',
  path: '/browser-harness/imports/{id}',
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
  router.openapi(post, async (c) => {
    const { bytes } = await readUpload(c, CAPTURE_TYPES);
    const idempotencyKey = c.req.valid('header')['idempotency-key'];
    if (idempotencyKey !== undefined && !/^[\x20-\x7e]+$/.test(idempotencyKey)) {
      throw new WaymarkError({ code: 'request_invalid', message: 'An idempotency key is plain text.' });
    }
    const { duplicate, ...answer } = await importCapture(context, { bytes, idempotencyKey });
    return duplicate ? c.json({ ...answer, duplicate: true as const }, 200) : c.json(answer, 201);
  });
  router.openapi(get, async (c) => c.json(await getImport(context.store.db, c.req.valid('param').id), 200));
  return router;
}
