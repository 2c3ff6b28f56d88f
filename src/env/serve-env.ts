/** An environment: a run whose attempts a client drives over HTTP on this machine, until it is stopped. */
import { startLoopbackServer } from '../net/index.ts';
import { executeRun, type FolderRunStore, type RunProgress, resolveRun, type TaskChoices } from '../runs/local.ts';
import { answerRequest, problem } from './env-routes.ts';
import { EnvSessions } from './env-sessions.ts';

export interface EnvChoices extends Omit<TaskChoices, 'agent' | 'trials'> {
  exposeReward?: boolean | undefined;
}

export interface ServeEnvOptions {
  choices: EnvChoices;
  /** Given the id of the run. */
  openStore: (runId: string) => FolderRunStore;
  /** Ends the environment: sessions that are under way are ended and written. */
  signal: AbortSignal;
  port?: number | undefined;
  token?: string | undefined;
  /** How long a reset waits for a free session. */
  waitMs?: number | undefined;
  onReady: (about: { url: string; token: string; root: string; tasks: readonly string[] }) => void;
  onProgress?: ((progress: RunProgress) => void) | undefined;
  onNote?: ((note: string) => void) | undefined;
}

const WAIT_MS = 60_000;

/** Resolves when the environment was stopped and all its sessions have ended. */
export async function serveEnv(options: ServeEnvOptions): Promise<void> {
  const { choices, signal } = options;
  const { exposeReward = false, ...rest } = choices;
  const placeholder = { kind: 'env', config: { exposeReward }, make: () => failUnused() };
  const resolved = await resolveRun({ ...rest, agent: placeholder });
  const { runId } = resolved.plan;
  using store = options.openStore(runId);
  const waitMs = options.waitMs ?? WAIT_MS;
  const sessions = new EnvSessions({ store, runId, exposeReward, waitMs, signal });
  // Its cells come with its sessions.
  const run = { ...resolved, agent: sessions.agent, plan: { ...resolved.plan, cells: [] } };
  const taskIds = [...resolved.tasks.keys()];
  await using server = await startLoopbackServer({
    answer: (request) => answerRequest(request, { sessions, store, taskIds, exposeReward }),
    refuse: ({ status, message }) => problem(status, { code: REFUSALS[status], message }),
    port: options.port,
    token: options.token,
  });
  await executeRun(run, {
    store,
    signal,
    env: choices.env,
    claims: () => sessions.claims(),
    onStart: () => options.onReady({ url: server.origin, token: server.token, root: store.root, tasks: taskIds }),
    onEvent: (event, attempt) => sessions.onEvent(event, attempt),
    onProgress: (progress) => {
      sessions.onEnd(progress.attempt, progress);
      options.onProgress?.(progress);
    },
    onNote: options.onNote,
  });
}

const REFUSALS = { 401: 'token_required', 403: 'origin_refused', 421: 'host_refused' } as const;

function failUnused(): never {
  throw new Error('The agent of an environment is made by its sessions.');
}
