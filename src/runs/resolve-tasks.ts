/** A run of browser tasks: cases with their caps, an agent with what it is given for each, a tool server. All of it is checked here, before anything starts. */
import path from 'node:path';
import { readTranscript, type Transcript } from '../agents/index.ts';
import { type LoadedTask, loadTasks } from '../cases/index.ts';
import { type Agent, readSecrets } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { RunPlan, TaskStart, Variant } from '../events/index.ts';
import type { ModelChoice, OpenedModel } from '../models/index.ts';
import { profileOf, type ServerChoice, type ServerProfile } from '../tools/index.ts';
import { nameOf, openImageModel } from './image-model.ts';
import { newRunId } from './run-id.ts';
import { hashOf, runInputs, suiteOf } from './run-inputs.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What an attempt has for its agent. */
export interface AgentPlace {
  /** Of the attempt: files that an agent leaves there are kept with it. */
  readonly folder: string;
  /** The environment that the run was given: keys are in it. */
  readonly env: Environment;
}

/** An agent that is given as code; `config` is what has a say in its results. */
export interface AgentChoice {
  readonly kind: string;
  readonly config?: unknown;
  make(task: LoadedTask, place: AgentPlace): Agent;
}

export interface TaskChoices {
  /** Task files, folders of them, or tasks that are loaded already. A folder's fixture is started with the run. */
  readonly tasks: readonly (string | LoadedTask)[];
  /** Only these tasks, by their id. */
  readonly only?: readonly string[] | undefined;
  /** `scripted` (also `mock`) replays the oracle of each task. */
  readonly agent?: string | AgentChoice | undefined;
  readonly server?: string | ServerChoice | undefined;
  readonly trials?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Caps stand above the task's own. */
  readonly maxSteps?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  /** `shell`, `chrome`, a path or an address; by default the best that is found. */
  readonly browser?: string | undefined;
  readonly isolation?: 'context' | 'process' | undefined;
  /** A server process for every attempt. */
  readonly freshServer?: boolean | undefined;
  /** The agent must say that it is done; the verdict is the state then. */
  readonly untilDone?: boolean | undefined;
  readonly screenshots?: boolean | undefined;
  /** Guarded actions are let through. */
  readonly allowGuarded?: boolean | undefined;
  /** Answers what the contracts ask about screenshots (`image_qa`). */
  readonly imageModel?: ModelChoice | undefined;
  readonly experiment?: string | undefined;
  /** Where the values of the tasks' secrets and of the model's key are. */
  readonly env?: Environment | undefined;
  /** Of Waymark; part of the run's inputs. */
  readonly version: string;
  readonly now?: Date | undefined;
}

/** Everything that `executeRun` needs, as data; only `agent` and `imageModel` are code. */
export interface TaskRun {
  readonly kind: 'tasks';
  readonly plan: RunPlan;
  readonly tasks: ReadonlyMap<string, LoadedTask>;
  /** Where the tasks came from: their fixture is there. */
  readonly places: readonly string[];
  readonly agent: AgentRecipe;
  readonly imageModel: OpenedModel | undefined;
  readonly profile: ServerProfile;
  readonly browser: string | undefined;
  readonly isolation: 'context' | 'process';
  readonly concurrency: number;
  readonly freshServer: boolean;
  readonly untilDone: boolean;
  readonly screenshots: boolean;
  readonly allowGuarded: boolean;
  readonly environment: TaskStart['environment'];
}

/** What an agent is made from. */
export type AgentRecipe =
  | { readonly kind: 'scripted'; readonly transcripts: ReadonlyMap<string, Transcript> }
  | { readonly kind: 'given'; readonly agent: AgentChoice };

export async function resolveTasks(choices: TaskChoices): Promise<TaskRun> {
  const places = choices.tasks.filter((given) => typeof given === 'string');
  const given = choices.tasks.filter((task) => typeof task !== 'string');
  const loaded = [...given, ...(places.length > 0 || given.length === 0 ? await loadTasks(places) : [])];
  const tasks = withCaps(choose(loaded, choices.only), choices);
  const server = choices.server ?? 'embedded';
  const profile = profileOf(server);
  const transcripts = oraclesOf(tasks);
  const agent = recipeOf(choices.agent ?? 'scripted', tasks, transcripts);
  const isolation = choices.isolation ?? 'context';
  const trials = choices.trials ?? 1;
  for (const { task } of tasks) readSecrets(task, choices.env ?? {});
  const imageModel = await openImageModel(tasks, choices.imageModel, choices.env ?? {});
  const kind = agent.kind === 'scripted' ? 'scripted' : agent.agent.kind;
  const settings = {
    'fresh-server': choices.freshServer === true,
    'until-done': choices.untilDone === true,
    'no-screenshots': choices.screenshots === false,
    'allow-guarded': choices.allowGuarded === true,
  };
  const inputs = runInputs({
    tasks,
    agent: kind,
    agentOf: ({ task }) => (agent.kind === 'scripted' ? agent.transcripts.get(task.id) : agent.agent.config),
    server: profile.name,
    serverOf: server,
    settings: {
      waymark: choices.version,
      browser: choices.browser ?? 'the best that is found',
      isolation,
      trials,
      ...settings,
      // Only where it is used: the inputs of other runs stay as they are.
      ...(imageModel
        ? { 'image-model': nameOf(imageModel), 'the address of the image model': imageModel.baseUrl }
        : {}),
    },
  });
  const now = choices.now ?? new Date();
  const variant: Variant = {
    kind: 'agent',
    agent: { kind },
    // A configuration may name a secret's value in a header or an argument: only its hash is kept.
    server: { name: profile.name, ...(typeof server === 'string' ? {} : { config: hashOf(server) }) },
    ...(imageModel ? { imageModel: nameOf(imageModel) } : {}),
  };
  const plan: RunPlan = {
    runId: newRunId(now),
    suite: suiteOf(tasks),
    variant,
    trials,
    cells: tasks.flatMap(({ task }) =>
      Array.from({ length: trials }, (_, index) => ({ caseId: task.id, trial: index + 1 })),
    ),
    inputs,
    ...(transcripts.size > 0
      ? { oracleSteps: Object.fromEntries([...transcripts].map(([id, { moves }]) => [id, moves.length])) }
      : {}),
    ...(choices.experiment === undefined ? {} : { experiment: choices.experiment }),
    createdAt: now.getTime(),
  };
  return {
    kind: 'tasks',
    plan,
    tasks: new Map(tasks.map((task) => [task.task.id, task])),
    places,
    agent,
    imageModel,
    profile,
    browser: choices.browser,
    isolation,
    concurrency: choices.concurrency ?? 1,
    freshServer: settings['fresh-server'],
    untilDone: settings['until-done'],
    screenshots: !settings['no-screenshots'],
    allowGuarded: settings['allow-guarded'],
    environment: {
      waymark: choices.version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
  };
}

function choose(tasks: LoadedTask[], ids: readonly string[] | undefined): LoadedTask[] {
  if (ids === undefined) return tasks;
  const known = new Set(tasks.map(({ task }) => task.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing === undefined) return tasks.filter(({ task }) => ids.includes(task.id));
  throw usage(`There is no task "${missing}".`, `There are: ${[...known].join(', ')}.`);
}

/** What was run is in the journal. */
function withCaps(tasks: LoadedTask[], { maxSteps, maxDurationMs }: TaskChoices): LoadedTask[] {
  return tasks.map((loaded) => ({
    ...loaded,
    task: {
      ...loaded.task,
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
    },
  }));
}

/** Known solutions: the scripted agent replays them, and every agent's path is measured against them. */
function oraclesOf(tasks: readonly LoadedTask[]): Map<string, Transcript> {
  return new Map(
    tasks.flatMap(({ task, folder }) =>
      task.oracle === undefined ? [] : [[task.id, readTranscript(path.resolve(folder, task.oracle))]],
    ),
  );
}

function recipeOf(
  agent: string | AgentChoice,
  tasks: readonly LoadedTask[],
  transcripts: ReadonlyMap<string, Transcript>,
): AgentRecipe {
  if (typeof agent !== 'string') return { kind: 'given', agent };
  if (agent !== 'scripted' && agent !== 'mock')
    throw usage(`There is no agent "${agent}".`, 'Agents are: scripted (also called mock).');
  const bare = tasks.find(({ task }) => !transcripts.has(task.id));
  if (!bare) return { kind: 'scripted', transcripts };
  throw usage(
    `${bare.source} has no oracle, which the scripted agent replays.`,
    'Give the task an "oracle": the path of a transcript.',
  );
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
