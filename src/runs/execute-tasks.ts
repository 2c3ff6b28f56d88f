/** The browser tasks of a run: some at a time, each in a slot of its own. */

import { Browser, ensureBrowser, Pool, type PoolOptions, reapOrphans } from '../chromium/index.ts';
import { counted } from '../errors/index.ts';
import { type AttemptContext, attemptTask } from './attempt-task.ts';
import type { ExecuteOptions, Execution, RunBrowsers } from './execution.ts';
import type { TaskRun } from './resolve-tasks.ts';
import { RunBudget } from './run-budget.ts';
import type { Claim, NotBegun } from './run-store.ts';
import { Seats } from './seats.ts';
import { ServerLease } from './server-lease.ts';
import { startSuiteFixture } from './suite-fixture.ts';

export async function executeTasks(run: TaskRun, execution: Execution): Promise<void> {
  const { browsers } = execution.options;
  if (browsers) return work(run, execution, browsers);
  const say = execution.options.onNote ?? (() => {});
  await using fixture = await startSuiteFixture(run.places);
  await using pool = new Pool({
    // A replay needs a slot while its attempt keeps its own.
    slots: run.recoveryReplays === undefined ? run.concurrency : 2 * run.concurrency,
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
  const { store, env = {}, signal, now = Date.now, onEvent, hooks, isShared = false, used } = execution.options;
  const { retries, retryOn } = execution.options;
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
    retriesInStore: isShared ? { retries, retryOn } : {},
  };
  const newServer = () => new ServerLease(run.profile, run.freshServer, execution.options.onNote);
  await using seats = new Seats(run.concurrency, newServer);
  // A database and a bucket take their time: an attempt that is written there has a lane, and the next one has its seat.
  const lanes = isShared ? 2 * run.concurrency : run.concurrency;
  await execution.eachClaim(lanes, 1, async function* (claims) {
    for await (const { claim, seat } of seats.withSeats(claims)) {
      const why = notBegun(run, claim, await budget.exhausted());
      if (why === undefined) yield { claim, ...(await attemptTask(claim, seat, context)) };
      else {
        await store.giveUp(claim, why);
        yield { claim, status: 'not_begun', reason: why.reason };
      }
    }
  });
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
