/** A run of browser tasks: cases with their caps, an agent with what it is given for each, a tool server. All of it is checked here, before anything starts. */
import path from 'node:path';
import { readTranscript, type Transcript } from '../agents/transcript.ts';
import { type LoadedTask, loadTasks, nameOfSpec } from '../cases/index.ts';
import { readSecrets } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { RunPlan, TaskStart, Variant } from '../events/index.ts';
import type { ModelChoice, OpenedModel } from '../models/index.ts';
import { profileOf, type ServerChoice, type ServerProfile } from '../tools/index.ts';
import type { AgentChoice } from './agent-choice.ts';
import type { AgentChoices } from './agent-choices.ts';
import { checkRecovery } from './check-recovery.ts';
import { chooseTasks, type TaskSelection } from './choosing/choose-tasks.ts';
import { recordedGraders } from './graders/grader-spec-file.ts';
import type { GradingChoices, PreparedGrading } from './graders/prepare-grading.ts';
import { resolveGrading } from './graders/resolve-grading.ts';
import { nameOf, openImageModel } from './image-model.ts';
import type { Environment } from './open-run-model.ts';
import { resolveAgent } from './resolve-agent.ts';
import { type RetryChoices, retriesAsInputs } from './retries.ts';
import { capsAsInputs, capsOf, type RunCaps } from './run-budget.ts';
import { newRunId } from './run-id.ts';
import { hashOf, runInputs, suiteOf } from './run-inputs.ts';

export interface TaskChoices extends AgentChoices, TaskSelection, RetryChoices {
  /** Task files, folders of them, or tasks that are loaded already. A folder's fixture is started with the run. */
  readonly tasks: readonly (string | LoadedTask)[];
  /** Tasks that are quarantined are left out; otherwise they are run, and counted apart. */
  readonly skipQuarantined?: boolean | undefined;
  readonly server?: string | ServerChoice | undefined;
  readonly trials?: number | undefined;
  readonly concurrency?: number | undefined;
  /** Caps stand above the task's own. */
  readonly maxSteps?: number | undefined;
  readonly maxDurationMs?: number | undefined;
  /** `shell`, `chrome`, a path or an address; by default the best that is found. */
  readonly browser?: string | undefined;
  readonly isolation?: 'context' | 'process' | undefined;
  /** With windows that people see: a full Chrome, on a machine with a display. */
  readonly headed?: boolean | undefined;
  /** A server process for every attempt. */
  readonly freshServer?: boolean | undefined;
  /** The agent must say that it is done; the verdict is the state then. */
  readonly untilDone?: boolean | undefined;
  readonly screenshots?: boolean | undefined;
  /** Guarded actions are let through. */
  readonly allowGuarded?: boolean | undefined;
  /** Recovery search, with so many replays per attempt: the harness tries other calls after a failure. */
  readonly recoveryReplays?: number | undefined;
  /** Answers what the contracts ask about screenshots (`image_qa`). */
  readonly imageModel?: ModelChoice | undefined;
  /** Beside the graders that the tasks name: names, files or graders, as `waymark grade` takes them; and who judges. */
  readonly grading?: GradingChoices | undefined;
  /** The name of what is under test, for reports and comparisons. */
  readonly variant?: string | undefined;
  readonly experiment?: string | undefined;
  /** Where the values of the tasks' secrets and of the models' keys are. */
  readonly env?: Environment | undefined;
  /** False: the attempts are executed elsewhere, where the values of the secrets are; here only their names are. */
  readonly hasSecrets?: boolean | undefined;
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
  readonly agent: AgentChoice;
  readonly budget: RunCaps;
  readonly imageModel: OpenedModel | undefined;
  readonly profile: ServerProfile;
  readonly browser: string | undefined;
  readonly headed: boolean;
  readonly isolation: 'context' | 'process';
  readonly concurrency: number;
  readonly freshServer: boolean;
  readonly untilDone: boolean;
  readonly screenshots: boolean;
  readonly allowGuarded: boolean;
  /** Undefined without recovery search. */
  readonly recoveryReplays: number | undefined;
  readonly environment: TaskStart['environment'];
  /** Undefined where no task has graders beside its contract. */
  readonly grading: PreparedGrading | undefined;
}

export async function resolveTasks(choices: TaskChoices): Promise<TaskRun> {
  const places = choices.tasks.filter((given) => typeof given === 'string');
  const given = choices.tasks.filter((task) => typeof task !== 'string');
  const loaded = [...given, ...(places.length > 0 || given.length === 0 ? await loadTasks(places) : [])];
  const chosen = chooseTasks(withoutQuarantined(loaded, choices.skipQuarantined === true), choices);
  const asRun = (some: LoadedTask[]): LoadedTask[] => withGraders(withCaps(some, choices), choices.grading);
  const tasks = asRun(chosen.run);
  const quarantined = tasks.flatMap(({ task }) => (task.quarantine ? [[task.id, task.quarantine] as const] : []));
  const server = choices.server ?? 'embedded';
  const profile = profileOf(server);
  if (profile.attach === 'own' && (choices.concurrency ?? 1) > 1) {
    throw usage(
      `The server ${profile.name} has one browser of its own, which ${choices.concurrency} episodes at a time would share.`,
      'Run one episode at a time, or give the server the browser of the harness (attach "gate").',
    );
  }
  const transcripts = oraclesOf(tasks);
  const env = choices.env ?? {};
  const agent = await resolveAgent(choices, { tasks, transcripts, profile, env });
  const isolation = choices.isolation ?? 'context';
  const browser = browserChoice(choices);
  const trials = choices.trials ?? 1;
  if (choices.hasSecrets !== false) for (const { task } of tasks) readSecrets(task, env);
  await checkRecordings(tasks);
  const { recoveryReplays } = choices;
  if (recoveryReplays !== undefined) checkRecovery(tasks, agent.kind);
  const imageModel = await openImageModel(tasks, choices.imageModel, env);
  const cases = tasks.map(({ task, folder }) => ({ id: task.id, graders: task.graders, folder }));
  const grading = await resolveGrading(cases, choices.grading, env);
  if (choices.grading?.judge && !grading)
    throw usage('A judge was chosen, and no task has a grader that asks one.', 'Name a grader: --grader webjudge.');
  const { kind, config } = agent;
  const budget = capsOf(choices);
  const settings = {
    'fresh-server': choices.freshServer === true,
    'until-done': choices.untilDone === true,
    'no-screenshots': choices.screenshots === false,
    'allow-guarded': choices.allowGuarded === true,
  };
  const inputs = runInputs({
    tasks,
    agent: kind,
    agentOf: (task) => agent.configOf?.(task) ?? config,
    server: profile.name,
    serverOf: server,
    settings: {
      waymark: choices.version,
      browser: browser ?? 'the best that is found',
      ...(choices.headed ? { headed: true } : {}),
      isolation,
      trials,
      ...settings,
      // Only where it is used: the inputs of other runs stay as they are.
      ...(imageModel
        ? { 'image-model': nameOf(imageModel), 'the address of the image model': imageModel.baseUrl }
        : {}),
      ...(recoveryReplays === undefined ? {} : { recover: recoveryReplays }),
      ...capsAsInputs(budget),
      ...retriesAsInputs(choices),
    },
  });
  const now = choices.now ?? new Date();
  const variant: Variant = {
    kind: 'agent',
    agent: {
      kind,
      ...(choices.variant === undefined ? {} : { name: choices.variant }),
      ...(config === undefined ? {} : { config }),
    },
    // A configuration may name a secret's value in a header or an argument: only its hash is kept.
    server: { name: profile.name, ...(typeof server === 'string' ? {} : { config: hashOf(server) }) },
    ...(imageModel ? { imageModel: nameOf(imageModel) } : {}),
    ...(recoveryReplays === undefined ? {} : { recovery: { replays: recoveryReplays } }),
  };
  const plan: RunPlan = {
    runId: newRunId(now),
    suite: suiteOf(tasks),
    variant,
    trials,
    // Of a part, the whole is named too: parts of one whole can be merged.
    ...(choices.shard ? { shard: { ...choices.shard, suite: suiteOf(asRun(chosen.all)).hash } } : {}),
    cells: tasks.flatMap(({ task }) =>
      Array.from({ length: trials }, (_, index) => ({ caseId: task.id, trial: index + 1 })),
    ),
    inputs,
    ...(transcripts.size > 0
      ? { oracleSteps: Object.fromEntries([...transcripts].map(([id, { moves }]) => [id, moves.length])) }
      : {}),
    ...(quarantined.length > 0 ? { quarantined: Object.fromEntries(quarantined) } : {}),
    ...(choices.experiment === undefined ? {} : { experiment: choices.experiment }),
    createdAt: now.getTime(),
  };
  return {
    kind: 'tasks',
    plan,
    tasks: new Map(tasks.map((task) => [task.task.id, task])),
    places,
    agent,
    budget,
    imageModel,
    profile,
    browser,
    headed: choices.headed === true,
    isolation,
    concurrency: choices.concurrency ?? 1,
    freshServer: settings['fresh-server'],
    untilDone: settings['until-done'],
    screenshots: !settings['no-screenshots'],
    allowGuarded: settings['allow-guarded'],
    recoveryReplays,
    grading,
    environment: {
      waymark: choices.version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
  };
}

/** A headless shell has no windows, and a browser at an address shows what it shows. */
function browserChoice({ browser: given, headed, env = {} }: TaskChoices): string | undefined {
  if (!headed) return given;
  const browser = given ?? 'chrome';
  if (browser === 'shell' || /^(wss?|https?):\/\/|headless[-_]shell[^/\\]*$/.test(browser))
    throw usage(
      `--headed needs a full Chrome on this machine, not --browser ${browser}.`,
      'Use --browser chrome, or a path.',
    );
  if (process.platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    throw usage(
      '--headed needs a display, and there is none: neither DISPLAY nor WAYLAND_DISPLAY is set. Nothing was run.',
      'Leave out --headed, or give it a display: xvfb-run waymark run … --headed',
    );
  return browser;
}

function withoutQuarantined(tasks: LoadedTask[], isAsked: boolean): LoadedTask[] {
  const left = isAsked ? tasks.filter(({ task }) => task.quarantine === undefined) : tasks;
  if (left.length > 0 || tasks.length === 0) return left;
  throw usage('All tasks that were asked for are quarantined.', 'Leave out --skip-quarantined to run them.');
}

/** A recording that is missing or damaged would otherwise be found in the middle of the run. */
async function checkRecordings(tasks: readonly LoadedTask[]): Promise<void> {
  const files = new Set(
    tasks.flatMap(({ task, folder }) =>
      task.network?.mode === 'replay' ? [path.resolve(folder, task.network.recording)] : [],
    ),
  );
  if (files.size === 0) return;
  const { readRecording } = await import('../chromium/index.ts');
  for (const file of files) readRecording(file);
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

/** What is recorded for the rules of a grader is recorded while the attempt goes on. */
function withGraders(tasks: LoadedTask[], choices: GradingChoices | undefined): LoadedTask[] {
  const more = choices ? recordedGraders(choices) : [];
  if (more.length === 0) return tasks;
  return tasks.map((loaded) => {
    const own = loaded.task.graders ?? [];
    const names = new Set(own.map(nameOfSpec));
    return {
      ...loaded,
      task: { ...loaded.task, graders: [...own, ...more.filter((spec) => !names.has(nameOfSpec(spec)))] },
    };
  });
}

/** Known solutions: the scripted agent replays them, and every agent's path is measured against them. */
function oraclesOf(tasks: readonly LoadedTask[]): Map<string, Transcript> {
  return new Map(
    tasks.flatMap(({ task, folder }) =>
      task.oracle === undefined ? [] : [[task.id, readTranscript(path.resolve(folder, task.oracle))]],
    ),
  );
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
