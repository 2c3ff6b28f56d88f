/** Grades of a run by all graders, and gradings by further graders. */
import { createRoute, z } from '@hono/zod-openapi';
import { WaymarkError } from '../../errors/index.ts';
import { systemContext } from '../../models/index.ts';
import { askFurther, DatabaseRunStore, getFurther, getGrade, listFurther, listGrades } from '../../runs/index.ts';
import { schema } from '../../store/index.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type Router } from '../route-module.ts';
import { wireFurther, wireGrade } from '../wire-grades.ts';
import { gradeSchema, gradingSchema, requestSchema } from './grade-schemas.ts';
import { afterQuery, body, idParam, json, limitQuery, textQuery } from './respond.ts';
import type { RouteContext } from './route-context.ts';
import { urlGuard } from './url-guard.ts';

const tags = ['grades'];

const list = createRoute({
  method: 'get',
  path: '/runs/{id}/grades',
  operationId: 'listGrades',
  summary: 'The grades of a run by all graders, oldest first',
  tags,
  request: {
    params: idParam,
    query: z.object({
      limit: limitQuery,
      after: afterQuery,
      item: z.string().max(1000).optional(),
      grader: textQuery,
      verdict: z.enum(schema.VERDICTS).optional(),
      differs: z
        .enum(['true', 'false'])
        .optional()
        .openapi({ description: 'Only the latest grades that pass what the deciding grade fails, or the reverse' }),
    }),
  },
  responses: {
    200: json('Grades; `after` takes the last id', z.object({ grades: z.array(gradeSchema) })),
    ...problemResponses(400, 404),
  },
});

const ask = createRoute({
  method: 'post',
  path: '/runs/{id}/grades',
  operationId: 'gradeRun',
  summary: 'Grade the answers of a finished run by further graders; what decides stays as it is',
  tags,
  request: { params: idParam, body: body(requestSchema) },
  responses: { 202: json('Queued', gradingSchema), ...problemResponses(400, 404, 409, 422) },
});

const gradings = createRoute({
  method: 'get',
  path: '/runs/{id}/gradings',
  operationId: 'listGradings',
  summary: 'What was asked of further graders, oldest first, and how far it is',
  tags,
  request: { params: idParam },
  responses: { 200: json('Gradings', z.object({ gradings: z.array(gradingSchema) })), ...problemResponses(404) },
});

const grading = createRoute({
  method: 'get',
  path: '/runs/{id}/gradings/{grading}',
  operationId: 'getGrading',
  summary: 'One grading by further graders',
  tags,
  request: { params: idParam.extend({ grading: z.string().max(200) }) },
  responses: { 200: json('The grading', gradingSchema), ...problemResponses(404) },
});

const artifact = createRoute({
  method: 'get',
  path: '/runs/{id}/grades/{grade}/artifacts/{number}',
  operationId: 'getGradeArtifact',
  summary: 'A file that a grader kept with a grade, by its place in `artifacts`, from 0',
  tags,
  request: {
    params: idParam.extend({
      grade: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
      number: z.coerce.number().int().min(0).max(10_000),
    }),
  },
  responses: {
    200: { description: 'The file', content: { 'text/plain': { schema: z.string() } } },
    ...problemResponses(400, 404),
  },
});

export type GradeRoutes = typeof list | typeof ask | typeof gradings | typeof grading | typeof artifact;

export function gradeRoutes(context: RouteContext): Router {
  const { store, queue, artifacts, stopping } = context;
  const runs = new DatabaseRunStore({ store, artifacts });
  const router = newRouter();
  router.openapi(list, async (c) => {
    const { item, differs, ...page } = c.req.valid('query');
    const filter = { ...page, caseId: item, differs: differs === 'true' };
    const grades = await listGrades(store.db, c.req.valid('param').id, filter);
    return c.json({ grades: grades.map(wireGrade) }, 200);
  });
  router.openapi(ask, async (c) => {
    const calls = systemContext(stopping, urlGuard(context), {}, context.keyAccess);
    const asked = await askFurther({ store, queue, context: calls }, c.req.valid('param').id, c.req.valid('json'));
    return c.json(wireFurther(asked), 202);
  });
  router.openapi(gradings, async (c) => {
    const asked = await listFurther(store.db, c.req.valid('param').id);
    return c.json({ gradings: asked.map(wireFurther) }, 200);
  });
  router.openapi(grading, async (c) => {
    const { id, grading: asked } = c.req.valid('param');
    return c.json(wireFurther(await getFurther(store.db, id, asked)), 200);
  });
  router.openapi(artifact, async (c) => {
    const { id, grade: gradeId, number } = c.req.valid('param');
    const { runId, caseId, trial, attempt, ...grade } = await getGrade(store.db, id, gradeId);
    const key = grade.artifacts?.[number];
    const content = key === undefined ? undefined : await runs.artifact({ runId, caseId, trial, attempt }, key);
    if (content === undefined)
      throw new WaymarkError({ code: 'grading_not_found', message: `The grade ${gradeId} has no file ${number}.` });
    // It holds what models and answers said: shown as text, whatever it is.
    const text = new TextDecoder().decode(content);
    return c.text(text, 200, { 'content-security-policy': "default-src 'none'; sandbox" });
  });
  return router;
}
