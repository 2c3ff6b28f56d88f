/**
 * Starts runs of browser tasks and steers them. These routes start programs with the server's environment, so they answer only where the
 * server was told that it may; and what a request names is looked up among the suites and variants that it was told about.
 */
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { GRADER_KINDS } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import {
  assertStart,
  GRADED_AGAIN,
  type LiveRun,
  OFFERED_AGENTS,
  OFFERED_SERVERS,
  quarantineCase,
  type RunFolders,
  type RunPreview,
  requestRetry,
  type StartedRuns,
  type StartRequest,
  starterOr,
  startRequestSchema,
} from '../../runs/index.ts';
import { problemResponses } from '../problem.ts';
import { type AppEnv, newRouter, type RouteModule, type Router, type ServerContext } from '../route-module.ts';
import { Slots } from '../slots.ts';
import { body, idParam, json } from './respond.ts';
import { taskStarter } from './task-starter.ts';

const tags = ['run folders'];
/** A preview resolves the run in a process of its own. */
const PREVIEWS = 4;

const choicesSchema = z
  .object({
    allowed: z.boolean().openapi({ description: 'Whether this server starts runs' }),
    suites: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['tasks', 'templates']),
        files: z.int().nullable(),
        folder: z.string(),
      }),
    ),
    variants: z.array(
      z.object({
        name: z.string(),
        agent: z.string(),
        server: z.string().nullable(),
        problem: z.string().nullable(),
      }),
    ),
    agents: z.array(z.string()),
    servers: z.array(z.string()),
    graders: z.array(z.string()),
  })
  .openapi('StartChoices');
const previewSchema = z
  .custom<RunPreview>()
  .openapi({ type: 'object', description: 'As waymark run --preview --json' });

const choices = createRoute({
  method: 'get',
  path: '/start-choices',
  operationId: 'listStartChoices',
  summary: 'The suites, variants, agents and servers that a run can be started with',
  tags,
  responses: { 200: json('Choices', choicesSchema) },
});
const preview = createRoute({
  method: 'post',
  path: '/run-folders/preview',
  operationId: 'previewRunFolder',
  summary: 'What a run would do and may cost at most, and what it lacks; nothing is started',
  tags,
  request: { body: body(startRequestSchema) },
  responses: { 200: json('The preview', previewSchema), ...problemResponses(400, 403, 404, 422, 429) },
});
const start = createRoute({
  method: 'post',
  path: '/run-folders',
  operationId: 'startRunFolder',
  summary: 'Start a run of browser tasks, in a process of its own, into the first folder that the server shows',
  tags,
  request: { body: body(startRequestSchema) },
  responses: {
    201: json('It has begun', z.object({ id: z.string() })),
    ...problemResponses(400, 403, 404, 422, 429, 503),
  },
});
const retry = createRoute({
  method: 'post',
  path: '/run-folders/{id}/retry',
  operationId: 'retryRunFolder',
  summary: 'Try again what did not pass: at once where the run goes on, or by resuming a run that the server started',
  tags,
  request: {
    params: idParam,
    body: body(
      z.strictObject({
        which: z.enum(['failed', 'faults']).openapi({
          description: 'failed: all that did not pass. faults: only what ended by a fault, and what has not finished',
        }),
      }),
    ),
  },
  responses: { 202: json('Asked', z.object({ cells: z.int() })), ...problemResponses(400, 403, 404, 409, 429, 503) },
});
const grade = createRoute({
  method: 'post',
  path: '/run-folders/{id}/grade',
  operationId: 'gradeRunFolder',
  summary: 'Grade the attempts again, as waymark grade does; grades are appended',
  tags,
  request: {
    params: idParam,
    body: body(
      z.strictObject({
        grader: z.enum(GRADER_KINDS).optional().openapi({ description: 'A further one; default: what the cases name' }),
        only: z.enum(GRADED_AGAIN).optional(),
        judgeModel: startRequestSchema.shape.model,
      }),
    ),
  },
  responses: {
    200: json('What was graded', z.object({ graded: z.array(z.object({ grader: z.string(), text: z.string() })) })),
    ...problemResponses(400, 403, 404, 409, 422, 503),
  },
});
const actions = createRoute({
  method: 'get',
  path: '/run-folders/{id}/actions',
  operationId: 'getRunFolderActions',
  summary: 'What can be done with a run here',
  tags,
  request: { params: idParam },
  responses: {
    200: json(
      'Actions',
      z.object({
        allowed: z.boolean().openapi({ description: 'Whether this server starts anything' }),
        isStartedHere: z.boolean().openapi({ description: 'Whether the server knows how to resume it' }),
        suite: z.string().nullable().openapi({ description: 'The suite that its cases can be quarantined in' }),
        problem: z.string().nullable().openapi({ description: 'Why its process ended before its time' }),
        folder: z.string(),
      }),
    ),
    ...problemResponses(404),
  },
});
const quarantine = createRoute({
  method: 'post',
  path: '/run-folders/{id}/quarantine',
  operationId: 'quarantineCase',
  summary: 'Quarantine a case of the suite that a run was started with: later runs count it apart',
  tags,
  request: {
    params: idParam,
    body: body(
      z.strictObject({ caseId: z.string().min(1).max(200), reason: z.string().min(1).max(500), until: z.iso.date() }),
    ),
  },
  responses: {
    200: json('The file that was changed', z.object({ file: z.string() })),
    ...problemResponses(400, 403, 404, 409),
  },
});

export type StartedRunRoutes =
  | typeof choices
  | typeof preview
  | typeof start
  | typeof actions
  | typeof retry
  | typeof grade
  | typeof quarantine;

/** `started`: undefined where the server may start nothing. */
export function startedRunRoutes(folders: RunFolders, started: StartedRuns | undefined): RouteModule {
  return { name: 'started-runs', router: (context) => routerOf(folders, started, context) };
}

function routerOf(folders: RunFolders, given: StartedRuns | undefined, context: ServerContext): Router {
  const router = newRouter();
  const starter = taskStarter(context, given);
  const previews = new Slots(PREVIEWS);
  const allowed = (): StartedRuns => starterOr(starter).started;
  const checked = async (request: StartRequest): Promise<StartRequest> => {
    await assertStart(starterOr(starter), request);
    return request;
  };
  router.openapi(choices, (c) => {
    const variants = given?.variants().map(({ file: _, ...variant }) => variant) ?? [];
    return c.json(
      {
        allowed: given !== undefined,
        suites: given?.suites() ?? [],
        variants,
        agents: [...OFFERED_AGENTS],
        servers: [...OFFERED_SERVERS],
        graders: GRADER_KINDS.filter((kind) => kind !== 'command' && kind !== 'module'),
      },
      200,
    );
  });
  router.openapi(preview, async (c) => {
    const started = allowed();
    const giveBack = previews.take();
    if (!giveBack)
      throw new WaymarkError({ code: 'too_many_runs', message: `${PREVIEWS} previews are being made. Ask again.` });
    using _slot = { [Symbol.dispose]: giveBack };
    const request = await checked(c.req.valid('json'));
    return c.json((await started.preview(request, signalOf(c, context))) as RunPreview, 200);
  });
  router.openapi(start, async (c) => {
    const started = allowed();
    return c.json({ id: await started.start(await checked(c.req.valid('json'))) }, 201);
  });
  router.openapi(actions, async (c) => {
    const { root } = (await folders.openPart(c.req.valid('param').id)).source;
    // Workers execute it: it has no folder here.
    if (root === undefined)
      return c.json({ allowed: false, isStartedHere: false, suite: null, problem: null, folder: '' }, 200);
    const suite = given?.suiteOf(root);
    return c.json(
      {
        allowed: given !== undefined,
        isStartedHere: given?.requestOf(root) !== undefined,
        suite: suite?.kind === 'tasks' ? suite.name : null,
        problem: given?.problemOf(root) ?? null,
        folder: root,
      },
      200,
    );
  });
  router.openapi(retry, async (c) => {
    const started = allowed();
    const run = await folders.open(c.req.valid('param').id);
    const { which } = c.req.valid('json');
    const cells = cellsOf(run, which);
    if (run.isRunning) requestRetry(run.root, cells);
    else await started.resume(run.root, which);
    return c.json({ cells: cells.length }, 202);
  });
  router.openapi(grade, async (c) => {
    const started = allowed();
    const run = await folders.open(c.req.valid('param').id);
    if (run.isRunning)
      throw new WaymarkError({ code: 'run_under_way', message: 'The run goes on: it is graded when it has ended.' });
    const { grader, only, judgeModel } = c.req.valid('json');
    if (grader === 'command' || grader === 'module')
      throw new WaymarkError({
        code: 'request_invalid',
        message: 'A program that grades is named by a case, not here.',
      });
    const flags = Object.entries({ grader, only, 'judge-model': judgeModel }).flatMap(([name, value]) =>
      value === undefined ? [] : [`--${name}=${value}`],
    );
    const answer = gradedSchema.parse(await started.grade(run.root, flags, signalOf(c, context)));
    const graded = answer.graders.map(({ grader: name, ...counts }) => ({ grader: name, text: countsText(counts) }));
    return c.json({ graded }, 200);
  });
  router.openapi(quarantine, async (c) => {
    const started = allowed();
    const run = await folders.openPart(c.req.valid('param').id);
    const suite = started.suiteOf(run.root);
    if (!suite)
      throw new WaymarkError({
        code: 'run_not_started_here',
        message: 'The suite of this run is not one that the server offers.',
        hint: 'Quarantine the case in its task file: "quarantine": { "reason": …, "until": … }.',
      });
    const { caseId, ...about } = c.req.valid('json');
    return c.json({ file: quarantineCase(suite.folder, caseId, about) }, 200);
  });
  return router;
}

/** As `waymark grade --json` prints them. */
const gradedSchema = z.object({
  graders: z.array(z.object({ grader: z.string() }).catchall(z.unknown())),
});

function countsText(counts: Record<string, unknown>): string {
  const parts = ['pass', 'fail', 'error', 'skipped', 'unchanged'].flatMap((name) =>
    typeof counts[name] === 'number' && counts[name] > 0 ? [`${counts[name]} ${name}`] : [],
  );
  return parts.length === 0 ? 'nothing new' : parts.join(', ');
}

function cellsOf(run: LiveRun, which: 'failed' | 'faults'): { caseId: string; trial: number }[] {
  const tones: readonly string[] = which === 'failed' ? ['bad', 'fault'] : ['fault'];
  return run.view().attempts.filter(({ tone }) => tones.includes(tone));
}

/** What is asked for ends with who asks, and with the server. */
function signalOf(c: Context<AppEnv>, { stopping }: ServerContext): AbortSignal {
  return AbortSignal.any([c.req.raw.signal, stopping]);
}
