/**
 * The agent that is a foreign program. It gets an MCP endpoint of its own, a clean home folder and an environment with only what is named;
 * each `tools/call` is a step. It ends by `task_done`, by its exit, or with the attempt.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Agent, type AgentOutcome, Secrets, type Session, type SessionTask } from '../../episode/index.ts';
import { putText } from '../../journal/index.ts';
import { BoundedOutput, type ProgramExit } from '../../tools/index.ts';
import { AgentWatch } from './agent-watch.ts';
import { type Endpoint, startEndpoint } from './endpoint.ts';
import type { CheckedOptions } from './external-options.ts';
import { instruction } from './instruction.ts';
import { OutputReader } from './read-output.ts';
import { startCommand } from './start-command.ts';

/** Where an attempt's agent may write, and the values of what it is given by name. */
export interface ExternalPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The agent's outcome, or what is thrown instead; made when the race is decided. */
type End = () => AgentOutcome;

/** How often a running agent is looked at. */
const WATCH_MS = 200;
const LAST_LINES = 6;

/** @example runEpisode(task, external(checkOptions({ command: ['my-agent', '{goal}'] }, env), config, { folder, env }), server, options) */
export function external(options: CheckedOptions, config: unknown, place: ExternalPlace): Agent {
  const stack = new AsyncDisposableStack();
  return {
    kind: 'external',
    config,
    run: (session) => run(session, { options, place, stack }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

interface RunContext {
  options: CheckedOptions;
  place: ExternalPlace;
  /** Ends what was started, last thing first. */
  stack: AsyncDisposableStack;
}

async function run(session: Session, { options, place, stack }: RunContext): Promise<AgentOutcome> {
  const { task, signal, budget } = session;
  const endpoint = stack.use(await startEndpoint({ session }));
  const env = variables(options, place, endpoint);
  // Its calls are made as they are: the journal has no key, whatever the agent types (`keyVariables`).
  const secrets = secretsOf(task, place, env);
  const redact = (text: string): string => secrets.text(text);
  const watch = new AgentWatch({ budget, clock: () => performance.now(), connectMs: options.connectMs });
  const reader = new OutputReader(options.presetOf, (error) => watch.onLine(error));
  const stdout = new BoundedOutput({ redact, onLine: (line) => reader.onLine(line) });
  const stderr = new BoundedOutput({ redact, onLine: (line) => watch.onLine(line) });
  stack.defer(() => keep(place.folder, { stdout, stderr }));
  const started = { options, task, endpoint, env, PATH: place.env['PATH'] };
  const agent = stack.use(startCommand(started, { stdout, stderr }));
  session.say({ type: 'user', content: instruction(task) });

  const givenUp = Promise.withResolvers<End>();
  const timer = setInterval(() => {
    const verdict = watch.verdict(endpoint);
    if (verdict) givenUp.resolve(() => raise(verdict, stderr.lastLines(LAST_LINES)));
  }, WATCH_MS);
  stack.defer(() => clearInterval(timer));
  const end = await Promise.race<End>([
    endpoint.done.then(
      ({ answer }) =>
        () =>
          outcomeOf(answer),
    ),
    agent.exited.then((exit) => () => {
      const last = [stdout.lastLines(2), stderr.lastLines(LAST_LINES)].join('\n').trim();
      return outcomeOfExit(exit, { endpoint, watch, reader, last });
    }),
    givenUp.promise,
    // Where the time ran out while the provider failed, the attempt ends by the provider's failure.
    aborted(signal).then(() => () => {
      const trouble = watch.trouble(endpoint);
      if (trouble) throw trouble;
      return {};
    }),
  ]);
  const { answer, ...rest } = end();
  const outcome = { ...rest, ...outcomeOf(answer === undefined ? undefined : redact(answer)) };
  if (outcome.answer !== undefined) session.say({ type: 'assistant', content: outcome.answer });
  return outcome;
}

/** What the agent gets beside PATH and its folders. */
function variables(options: CheckedOptions, { env }: ExternalPlace, endpoint: Endpoint): Record<string, string> {
  const { keyEnv, passEnv = [], presetOf } = options;
  return {
    ...Object.fromEntries(passEnv.map((name) => [name, env[name] ?? ''])),
    ...(keyEnv === undefined ? {} : { [presetOf?.keyVariable ?? keyEnv]: env[keyEnv] ?? '' }),
    WAYMARK_MCP_URL: endpoint.url,
    WAYMARK_MCP_TOKEN: endpoint.token,
  };
}

/** Everything that the agent was given by a variable, and the values of the task's secrets. */
function secretsOf(task: SessionTask, { env }: ExternalPlace, given: Record<string, string>): Secrets {
  const { WAYMARK_MCP_URL: _, ...hidden } = given;
  const ofTask = Object.fromEntries((task.secrets ?? []).map((name) => [name, env[name] ?? '']));
  const values = Object.entries({ ...ofTask, ...hidden }).filter(([, value]) => value !== '');
  return new Secrets(Object.fromEntries(values));
}

interface ExitContext {
  endpoint: Endpoint;
  watch: AgentWatch;
  reader: OutputReader;
  last: string;
}

/** An exit means done only where the agent was connected, exited with 0, and gave an answer or reported no error. */
function outcomeOfExit({ code, how }: ProgramExit, { endpoint, watch, reader, last }: ExitContext): AgentOutcome {
  const { answer, error, exhausted } = reader.endedWith(code);
  const trouble = watch.trouble(endpoint);
  if (exhausted !== undefined && endpoint.isConnected) return { ...outcomeOf(answer), exhausted };
  if (trouble && (code !== 0 || answer === undefined || !endpoint.isConnected)) throw trouble;
  if (!endpoint.isConnected)
    return raise(new Error(`its command ${how} and had not connected to the browser tools`), last);
  if (code !== 0) return raise(new Error(`its command ${how}`), last);
  if (error !== undefined && answer === undefined) return raise(new Error(`it reported an error: ${error}`), '');
  return outcomeOf(answer);
}

function raise(error: Error, last: string): never {
  error.message += last === '' ? '.' : `. Its last output:\n${last}`;
  throw error;
}

function outcomeOf(answer: string | undefined): AgentOutcome {
  return answer === undefined ? {} : { answer };
}

function keep(folder: string, outputs: Readonly<Record<string, BoundedOutput>>): void {
  mkdirSync(path.join(folder, 'agent'), { recursive: true });
  for (const [name, output] of Object.entries(outputs)) {
    output.end();
    putText(path.join(folder, 'agent', `${name}.txt`), output.text);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
