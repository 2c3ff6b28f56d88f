/** Runs in folders, also while another process writes them: a list, a run, an attempt, its pictures, and what changes as events. */
import path from 'node:path';
import { createRoute, z } from '@hono/zod-openapi';
import { WaymarkError } from '../../errors/index.ts';
import { type LiveRun, listRunFolders, type RunFolders, requestAttemptStop } from '../../runs/index.ts';
import type { AttemptView, FeedEntry, RunView } from '../../view/index.ts';
import { type EventSourceOf, eventStream } from '../event-stream.ts';
import { problemResponses } from '../problem.ts';
import { newRouter, type RouteModule, type Router, type ServerContext } from '../route-module.ts';
import { idParam, json, limitQuery } from './respond.ts';

const tags = ['run folders'];
const folderSchema = z
  .object({
    id: z.string(),
    suite: z.string(),
    variant: z.string(),
    experiment: z.string().nullable(),
    startedAt: z.string(),
    endedAt: z.string().nullable(),
    state: z.enum(['running', 'ended', 'stopped']),
    planned: z.int(),
    passed: z.int().nullable(),
    kind: z.enum(['tasks', 'questions']),
  })
  .openapi('RunFolder');
/** The view models are plain data; their types are those of `waymark/view`. */
const runViewSchema = z.custom<RunView>().openapi({ type: 'object', description: 'A RunView of waymark/view' });
const attemptViewSchema = z
  .custom<AttemptView>()
  .openapi({ type: 'object', description: 'An AttemptView of waymark/view' });
const feedEntrySchema = z.custom<FeedEntry>().openapi({
  type: 'object',
  description: 'A FeedEntry of waymark/view',
  example: { text: 'step 2: interact (+0.25)' },
});
const attemptParam = z.object({ id: z.string().max(200), attempt: z.string().regex(/^e\d{1,9}$/) });
/** What the journal names is not trusted to be a path: pictures are files of one folder. */
const pictureParam = attemptParam.extend({ file: z.string().regex(/^[\w-]+\.(jpg|png|webp)$/) });

const list = createRoute({
  method: 'get',
  path: '/run-folders',
  operationId: 'listRunFolders',
  summary: 'The runs in the folders that this server shows, newest first',
  tags,
  request: { query: z.object({ limit: limitQuery }) },
  responses: { 200: json('Runs', z.object({ runs: z.array(folderSchema) })), ...problemResponses(400) },
});
const get = createRoute({
  method: 'get',
  path: '/run-folders/{id}',
  operationId: 'getRunFolder',
  summary: 'A run with one row per cell, as it is now',
  tags,
  request: { params: idParam },
  responses: {
    200: json(
      'The run; `version` is the number of its last event',
      z.object({ run: runViewSchema, version: z.int(), isRunning: z.boolean(), endedAt: z.string().nullable() }),
    ),
    ...problemResponses(404),
  },
});
const attempt = createRoute({
  method: 'get',
  path: '/run-folders/{id}/attempts/{attempt}',
  operationId: 'getFolderAttempt',
  summary: 'The attempt of a cell that counts, as far as it has come',
  tags,
  request: { params: attemptParam },
  responses: {
    200: json(
      'The attempt; `version` is the number of the run’s last event, and 0 where nothing writes the run and it was not opened as a whole',
      z.object({ attempt: attemptViewSchema, caseId: z.string(), version: z.int() }),
    ),
    ...problemResponses(400, 404),
  },
});
const picture = createRoute({
  method: 'get',
  path: '/run-folders/{id}/attempts/{attempt}/screenshots/{file}',
  operationId: 'getFolderPicture',
  summary: 'A picture of an attempt',
  tags,
  request: { params: pictureParam },
  responses: {
    200: { description: 'The picture', content: { 'image/*': { schema: z.string() } } },
    ...problemResponses(400, 404),
  },
});
const events = createRoute({
  method: 'get',
  path: '/run-folders/{id}/events',
  operationId: 'streamRunFolderEvents',
  summary: "A run's rows as they change, as server-sent events; `Last-Event-ID` replays",
  description:
    '`attempt` brings a row; a row that changed several times before it was read is told once, as it is now. `run` says that the run began or ended, `ready` that the numbers of events begin anew.',
  tags,
  request: { params: idParam },
  responses: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: z.string() } } },
    ...problemResponses(400, 404),
  },
});
const feed = createRoute({
  method: 'get',
  path: '/run-folders/{id}/feed',
  operationId: 'getRunFolderFeed',
  summary: 'What happened last in a run, oldest first: attempts that began, their steps, how they ended',
  tags,
  request: { params: idParam },
  responses: { 200: json('The feed', z.object({ entries: z.array(feedEntrySchema) })), ...problemResponses(404) },
});
const stopAttempt = createRoute({
  method: 'post',
  path: '/run-folders/{id}/attempts/{attempt}/stop',
  operationId: 'stopFolderAttempt',
  summary: 'Ask the process that writes a run to stop one attempt; it counts as interrupted, and the others go on',
  tags,
  request: { params: attemptParam },
  responses: { 202: json('Asked', z.object({ attempt: z.int() })), ...problemResponses(400, 404, 409) },
});
const stop = createRoute({
  method: 'post',
  path: '/run-folders/{id}/stop',
  operationId: 'stopRunFolder',
  summary: 'Ask the process that writes a run to stop it, as Ctrl-C does',
  tags,
  request: { params: idParam },
  responses: { 202: json('Asked', z.object({ isRunning: z.boolean() })), ...problemResponses(404, 409) },
});

export type RunFolderRoutes =
  | typeof list
  | typeof get
  | typeof attempt
  | typeof picture
  | typeof events
  | typeof feed
  | typeof stopAttempt
  | typeof stop;

/** Added to a server that shows folders. */
export function runFolderRoutes(folders: RunFolders): RouteModule {
  return { name: 'run-folders', router: (context) => routerOf(folders, context) };
}

const TYPES: Readonly<Record<string, string>> = { '.jpg': 'image/jpeg', '.png': 'image/png', '.webp': 'image/webp' };

function routerOf(folders: RunFolders, { stopping }: ServerContext): Router {
  const router = newRouter();
  router.openapi(list, (c) => c.json({ runs: listRunFolders(folders, c.req.valid('query').limit) }, 200));
  router.openapi(get, async (c) => {
    const run = await folders.open(c.req.valid('param').id);
    const { version, isRunning, endedAt = null } = run;
    return c.json({ run: run.view(), version, isRunning, endedAt }, 200);
  });
  router.openapi(attempt, async (c) => {
    const params = c.req.valid('param');
    const run = await folders.openPart(params.id);
    const { version } = run;
    const found = await run.attempt(params.attempt);
    if (!found) throw notBegun(params.attempt);
    return c.json({ attempt: found, caseId: (await run.cell(params.attempt))?.caseId ?? '', version }, 200);
  });
  router.openapi(picture, async (c) => {
    const params = c.req.valid('param');
    const run = await folders.openPart(params.id);
    const cell = await run.cell(params.attempt);
    if (!cell) throw notBegun(params.attempt);
    const bytes = await run.source.picture(cell, params.file);
    if (!bytes)
      throw new WaymarkError({ code: 'not_found', message: `The run has no picture ${cell.folder}/${params.file}.` });
    return new Response(bytes, {
      headers: {
        'content-type': TYPES[path.extname(params.file)] ?? 'application/octet-stream',
        'content-security-policy': "default-src 'none'; sandbox",
        // A picture is never written again under its name.
        'cache-control': 'private, max-age=3600',
      },
    });
  });
  router.openapi(events, async (c) => {
    const run = await folders.open(c.req.valid('param').id);
    return eventStream(c, changesOf(folders, run), { stopping });
  });
  router.openapi(feed, async (c) => {
    const run = await folders.open(c.req.valid('param').id);
    return c.json({ entries: [...run.feed] }, 200);
  });
  router.openapi(stopAttempt, async (c) => {
    const params = c.req.valid('param');
    const run = await folders.open(params.id);
    assertRunning(run);
    const cell = run.cellOf(params.attempt);
    if (!cell || run.rowOf(params.attempt)?.live === undefined)
      throw new WaymarkError({ code: 'run_not_running', message: `The attempt ${params.attempt} does not go on.` });
    const { caseId, trial, attempt: number } = cell;
    requestAttemptStop(run.root, { runId: run.plan.runId, caseId, trial, attempt: number }, 'the web app');
    return c.json({ attempt: number }, 202);
  });
  router.openapi(stop, async (c) => {
    const run = await folders.open(c.req.valid('param').id);
    assertRunning(run);
    await run.source.stop();
    return c.json({ isRunning: true }, 202);
  });
  return router;
}

function assertRunning(run: LiveRun): void {
  if (!run.isRunning)
    throw new WaymarkError({ code: 'run_not_running', message: `The run ${run.plan.runId} does not go on.` });
}

function notBegun(id: string): WaymarkError {
  return new WaymarkError({ code: 'not_found', message: `The run has no attempt ${id}, or it has not begun yet.` });
}

function changesOf(folders: RunFolders, run: LiveRun): EventSourceOf {
  return {
    // A number that is not given out yet is of another process of the server.
    begin: async (seen) => (seen !== undefined && seen > run.version ? { id: 0, event: 'ready', data: {} } : undefined),
    since: async (id, max) =>
      run
        .since(id, max)
        .map(({ version, row }) =>
          row
            ? { id: version, event: 'attempt', data: row }
            : { id: version, event: 'run', data: { isRunning: run.isRunning, endedAt: run.endedAt ?? null } },
        ),
    subscribe: async (wake) => {
      const unsubscribe = await folders.subscribe(run.plan.runId, wake);
      return () => void unsubscribe();
    },
  };
}
