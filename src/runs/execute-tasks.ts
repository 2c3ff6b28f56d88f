/** The browser tasks of a run: some at a time, each in a slot of its own. */

import { Browser, ensureBrowser, Pool, type PoolOptions, reapOrphans, WorkLimit } from '../chromium/index.ts';
import { counted } from '../errors/index.ts';
import { type AttemptContext, attemptTask } from './attempt-task.ts';
import type { AttemptEnd, ExecuteOptions, Execution, RunBrowsers } from './execution.ts';
import type { TaskRun } from './resolve-tasks.ts';
import { RunBudget } from './run-budget.ts';
import type { Claim, NotBegun } from './run-store.ts';
import { ServerLease } from './server-lease.ts';
import { startSuiteFixture } from './suite-fixture.ts';
import { type TakenServer, ToolServers } from './tool-servers.ts';

export async function executeTasks(run: TaskRun, execution: Execution): Promise<void> {
  const { browsers } = execution.options;
  if (browsers) return work(run, execution, browsers);
  const say = execution.options.onNote ?? (() => {});
  await using fixture = await startSuiteFixture(run.places);
  await using pool = new Pool({
    slots: slotsOf(run, execution.options),
    isolation: run.isolation,
    start: starterOf(run, say, fixture.resolverRules),
    ...(execution.options.onPoolEvent ? { onEvent: execution.options.onPoolEvent } : {}),
  });
  await work(run, execution, { ...fixture, pool });
}

/** Ends the browsers of harnesses that were killed. Also where nothing is left to run: a kill may come after the last episode. */
export function cleanUpAfterKills({ browsers, onNote }: ExecuteOptions): void {
  if (browsers) return;
  const { length } = reapOrphans();
  if (length > 0) onNote?.(`cleaned up after ${counted(length, 'browser')} of a killed run`);
}

async function work(
  run: TaskRun,
  execution: Execution,
  { pool, allowHosts = [], stateHeaders }: RunBrowsers,
): Promise<void> {
  const { store, env = {}, signal, now = Date.now, onEvent, hooks, isShared = false, steering } = execution.options;
  const { retries, retryOn, used } = execution.options;
  const budget = new RunBudget(run.budget, used);
  const told: AttemptContext['onEvent'] = (event, attempt) => {
    budget.add(event);
    onEvent?.(event, attempt);
  };
  const context: AttemptContext = {
    run,
    store,
    pool,
    allowHosts,
    stateHeaders,
    env,
    signal,
    now,
    onEvent: told,
    hooks,
    isShared,
    steering,
    retriesInStore: isShared ? { retries, retryOn } : {},
  };
  const count = serversOf(run, execution.options);
  const newServer = () => new ServerLease(run.profile, run.freshServer, execution.options.onNote);
  await using servers = new ToolServers(count, newServer);
  const driven = new WorkLimit(run.concurrency);
  const attempted = async (claim: Claim, server: TakenServer, onAgentEnded: () => void): Promise<AttemptEnd> => {
    const why = notBegun(run, claim, await budget.exhausted());
    if (why === undefined) return attemptTask(claim, server, context, onAgentEnded);
    await store.giveUp(claim, why);
    return { status: 'not_begun', reason: why.reason };
  };
  // A database and a bucket take their time: while an attempt is written there, the next one has its tool server.
  await execution.eachClaim(isShared ? 2 * count : count, 1, async function* (claims) {
    for await (const { claim, server } of servers.withClaims(claims))
      yield { claim, ...(await inTurn(driven, (onAgentEnded) => attempted(claim, server, onAgentEnded))) };
  });
}

/**
 * One more than attempts are driven at once: it begins the next attempt while another one only waits for its pass to hold, in which no core
 * has work (12 % of a short episode). Not where attempts run one by one, where the next one depends on how this one
 * ends, or where another worker could have it.
 */
function serversOf({ concurrency }: TaskRun, { failFast = false, isShared = false }: ExecuteOptions): number {
  return concurrency === 1 || failFast || isShared ? concurrency : concurrency + 1;
}

/** One for each tool server; and a replay needs a slot while its attempt keeps its own. */
function slotsOf(run: TaskRun, options: ExecuteOptions): number {
  return serversOf(run, options) + (run.recoveryReplays === undefined ? 0 : run.concurrency);
}

/** The turn ends with the agent; the rest of the attempt goes on beside the next one's. */
async function inTurn(
  driven: WorkLimit,
  attempt: (onAgentEnded: () => void) => Promise<AttemptEnd>,
): Promise<AttemptEnd> {
  const { promise: agentEnded, resolve: onAgentEnded } = Promise.withResolvers<void>();
  const { end } = await driven.run(async () => {
    const end = attempt(onAgentEnded);
    await Promise.race([agentEnded, end]);
    return { end };
  });
  return end;
}

/** Why an attempt is not even tried. */
function notBegun(run: TaskRun, { attempt }: Claim, exhausted: string | undefined): NotBegun | undefined {
  if (exhausted !== undefined) return { reason: exhausted, outcome: 'env_error' };
  const { name } = run.profile;
  const unsupported = run.tasks.get(attempt.caseId)?.task.unsupported?.[name];
  return unsupported === undefined
    ? undefined
    : { reason: `The task says that ${name} does not support it: ${unsupported}`, outcome: 'server_error' };
}

/** An address is connected to; anything else is found on this machine, or installed. */
function starterOf(
  { browser: wanted, headed }: Pick<TaskRun, 'browser' | 'headed'>,
  say: (line: string) => void,
  resolverRules: string | undefined,
): PoolOptions['start'] {
  if (wanted !== undefined && /^(wss?|https?):\/\//.test(wanted)) return () => Browser.connect(wanted);
  const browser = ensureBrowser(say, { wanted });
  return () => Browser.launch({ browser, resolverRules, headed });
}
