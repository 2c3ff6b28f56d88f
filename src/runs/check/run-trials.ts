/** Runs transcripts on tasks, each as a case of its own, by the scripted agent and the same execution as every other run. */
import { scripted } from '../../agents/scripted.ts';
import type { Transcript } from '../../agents/transcript.ts';
import type { LoadedTask } from '../../cases/index.ts';
import { type EpisodeResult, isStep, type JournalEvent } from '../../events/index.ts';
import type { ServerProfile } from '../../tools/index.ts';
import type { AgentChoice } from '../agent-choice.ts';
import { executeRun } from '../execute-run.ts';
import type { ExecuteOptions, RunProgress } from '../execution.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { recordedCells } from '../folder/recorded-cells.ts';
import { readRunFile } from '../folder/run-file.ts';
import { recordedAttempts, resultOf } from '../recorded-attempts.ts';
import { resolveRun } from '../resolve-run.ts';
import type { TaskChoices } from '../resolve-tasks.ts';

export interface Trial {
  /** The id of its case: that of the task, and what is tried. */
  id: string;
  loaded: LoadedTask;
  transcript: Transcript;
}

export interface TrialEnd {
  passed: boolean;
  outcome: EpisodeResult['outcome'];
  reason: string;
  heldAtStart: boolean;
  steps: number;
  /** The address and the fingerprint of the page at the end; undefined where the page did not answer. */
  endState: string | undefined;
  /** Numbers of the steps after which the server had taken a write. */
  writes: ReadonlySet<number>;
  /** Of the attempt, relative to the folder of the run. */
  folder: string;
}

export interface TrialOptions extends Pick<ExecuteOptions, 'signal' | 'env' | 'onNote'> {
  choices: TaskChoices;
  /** Where the tasks came from: their fixture is there. */
  places: readonly string[];
  profile: ServerProfile;
  /** Of the run. */
  root: string;
  onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** The ends of the trials by their ids; one that was not begun has none, but a reason. */
export async function runTrials(
  trials: readonly Trial[],
  { choices, places, profile, root, ...options }: TrialOptions,
): Promise<Map<string, TrialEnd>> {
  if (trials.length === 0) return new Map();
  const byId = new Map(trials.map((trial) => [trial.id, trial]));
  const agent: AgentChoice = {
    kind: 'scripted',
    configOf: ({ task }) => byId.get(task.id)?.transcript,
    make: ({ task: { id } }) => {
      const trial = byId.get(id);
      if (!trial) throw new Error(`There is no trial "${id}".`);
      return scripted({ transcript: trial.transcript, profile });
    },
  };
  const run = await resolveRun({ ...choices, tasks: trials.map(caseOf), agent });
  using store = new FolderRunStore(root);
  const { onProgress, ...rest } = options;
  const { notBegun } = await executeRun({ ...run, places }, { store, ...rest, ...(onProgress ? { onProgress } : {}) });
  const ends = new Map<string, TrialEnd>();
  for await (const attempt of recordedAttempts(root, recordedCells(root, readRunFile(root))))
    ends.set(attempt.caseId, endOf(resultOf(root, attempt), attempt.events, attempt.folder));
  for (const { attempt, reason } of notBegun)
    ends.set(attempt.caseId, {
      ...{ passed: false, outcome: 'env_error', reason, heldAtStart: false, steps: 0 },
      ...{ endState: undefined, writes: new Set<number>(), folder: '' },
    });
  return ends;
}

/** The transcript is the agent's: as an oracle it would only be read again. */
function caseOf({ id, loaded, transcript }: Trial): LoadedTask {
  const { oracle: _oracle, ...task } = loaded.task;
  // A near miss may be longer than the oracle, which may use all steps: the cap must not be what fails it.
  return { ...loaded, task: { ...task, id, maxSteps: Math.max(task.maxSteps, transcript.moves.length + 1) } };
}

function endOf(result: EpisodeResult, events: readonly JournalEvent[], folder: string): TrialEnd {
  const { success, outcome, reason, steps } = result;
  return {
    passed: success,
    outcome,
    reason,
    heldAtStart: result.held_at_start === true,
    steps,
    endState: endStateOf(events),
    writes: writesIn(events),
    folder,
  };
}

function endStateOf(events: readonly JournalEvent[]): string | undefined {
  const last = events.findLast((event) => event.type === 'evidence');
  return last?.state === undefined ? undefined : `${last.url} ${last.state}`;
}

function writesIn(events: readonly JournalEvent[]): Set<number> {
  const steps = new Map<string, number>();
  const writes = new Set<number>();
  let before = 0;
  for (const event of events) {
    if (event.type === 'tool_call' && isStep(event)) steps.set(event.callId, event.step);
    if (event.type !== 'evidence') continue;
    const { writes: now = before } = event.counters;
    const step = event.callId === undefined ? undefined : steps.get(event.callId);
    if (now > before && step !== undefined) writes.add(step);
    before = now;
  }
  return writes;
}
