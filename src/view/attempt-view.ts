/** Everything that is shown of one attempt: a fold of its events and its result, as plain data. Bounded in size. */
import { explain } from '../contracts/index.ts';
import { type EpisodeResult, isTestModel, type JournalEvent, type RoleMetrics } from '../events/index.ts';
import { markNames, seconds, signed, tokenText, UNKNOWN, usedCost } from './amounts.ts';
import { attemptFiles, attemptNumbers, attemptProvenance, type FactRow } from './attempt-facts.ts';
import { type AttemptRow, statusOf } from './attempt-row.ts';
import { type Clipped, clip } from './clip.ts';
import { type EpisodeView, episodeView, type Look, type StepView } from './episode-view.ts';
import { captionOf, type Frame, framesOf } from './frames.ts';
import { type GradedAttempt, gradedTask, hasFurtherGrades, judgeModelText } from './graded-attempt.ts';
import { type LaneMessages, laneMessages } from './lane-messages.ts';
import { HTML_LIMITS } from './limits.ts';
import { type PageLog, pageLogOf } from './page-log.ts';
import type { Timeline } from './timeline.ts';

export interface RoleRow {
  name: string;
  /** Each with the note that it is the test model, where it is. */
  models: string;
  /** One for each of `ROLE_COLUMNS`. */
  cells: string[];
}

export interface DelegationView {
  executorId: string;
  status: string;
  /** `steps 1–3 of at most 5, 4.00 s to 11.0 s, reward +0.5` */
  about: string;
  instruction: string;
  summary: string;
}

export interface AttemptView {
  name: string;
  chip: Pick<AttemptRow, 'status' | 'tone'>;
  marks: string[];
  title: string;
  goal: string;
  reason: string;
  outcome: string;
  steps: StepView[];
  durationMs: number;
  /** What the agent said of itself, beside what the contract says; and whether the two differ. */
  claim?: { sentence: string; isFalse: boolean };
  answer?: Clipped;
  warnings: string[];
  finalVerdict: string;
  /** Of the contract at the end. */
  finalLines: string[];
  final?: Look;
  finalPicture?: string;
  /** Beside the contract's verdict; absent where no other grader has graded. */
  graded?: GradedAttempt;
  reward?: string;
  team?: { origin?: string; roles: RoleRow[]; delegations: DelegationView[] };
  timeline?: Timeline;
  recoverySearch?: NonNullable<EpisodeResult['recoverySearch']>;
  frames: Frame[];
  messages: LaneMessages;
  log: PageLog;
  numbers: FactRow[];
  provenance: FactRow[];
  /** Paths relative to the run's folder. */
  files: FactRow[];
  /** Of the attempt, relative to the run's folder. */
  folder: string;
}

/** `folder` is relative to the run's. */
export function attemptView(events: readonly JournalEvent[], result: EpisodeResult, folder: string): AttemptView {
  const view = episodeView(events, result);
  const task: { title?: unknown; goal?: unknown } = Object(view.start.task);
  const graded = gradedTask(result);
  const steps = view.steps.map(withoutRepeats);
  const { claimed, recoverySearch } = result;
  return {
    name: attemptName(result),
    chip: statusOf(result),
    marks: [
      ...(result.falselyClaimed ? ['said done'] : []),
      ...markNames(result),
      ...(result.testModel ? ['test model'] : []),
      ...(recoverySearch ? ['recovery search'] : []),
    ],
    title: String(task.title ?? ''),
    goal: String(task.goal ?? ''),
    reason: result.reason,
    outcome: result.outcome,
    steps,
    durationMs: result.durationMs,
    ...(claimed === undefined ? {} : { claim: claimOf(claimed, result) }),
    ...(result.answer === undefined ? {} : { answer: clip(result.answer, HTML_LIMITS.text * 4) }),
    warnings: result.warnings,
    finalVerdict: result.finalVerdict.replace('_', ' '),
    finalLines: finalLinesOf(result, view),
    ...(view.final ? { final: view.final } : {}),
    ...(view.finalPicture === undefined ? {} : { finalPicture: view.finalPicture }),
    ...(hasFurtherGrades(graded) ? { graded: withLabels(graded) } : {}),
    ...(result.reward
      ? {
          reward: `Sum ${signed(result.reward.sum)}, lowest ${signed(result.reward.min)}, last ${signed(result.reward.last)}.`,
        }
      : {}),
    ...(result.roles ? { team: teamOf(result, result.roles) } : {}),
    ...(view.timeline ? { timeline: view.timeline } : {}),
    ...(recoverySearch ? { recoverySearch } : {}),
    frames: framesOf(steps, view.finalPicture),
    messages: laneMessages(events),
    log: pageLogOf(events),
    numbers: attemptNumbers(result),
    provenance: attemptProvenance(result, view),
    files: attemptFiles(result),
    folder,
  };
}

export function attemptName({ taskId, trial, attempt }: Pick<EpisodeResult, 'taskId' | 'trial' | 'attempt'>): string {
  return `${taskId}${trial > 1 ? `, trial ${trial}` : ''}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

/** The lines of a verdict that is as the one before are not repeated. */
function withoutRepeats(step: StepView): StepView {
  const { look } = step;
  if (!look?.verdict?.isRepeated) return step;
  return { ...step, look: { ...look, verdict: { ...look.verdict, lines: [] } } };
}

/** What the agent said of itself is no evidence: it stands beside what the contract says. */
function claimOf(
  claimed: 'done' | 'gave_up',
  { finalVerdict, falselyClaimed }: EpisodeResult,
): NonNullable<AttemptView['claim']> {
  const says = claimed === 'done' ? 'it is done' : 'it gave up';
  return {
    sentence: `The agent says that ${says}; the contract says: ${finalVerdict.replace('_', ' ')}.`,
    isFalse: falselyClaimed === true,
  };
}

function finalLinesOf({ finalVerdict, failedContract }: EpisodeResult, { final }: EpisodeView): string[] {
  if (finalVerdict === 'not_judged') return [];
  return final?.verdict?.lines ?? (failedContract ? explain(failedContract) : []);
}

function withLabels({ decidedBy, grades }: GradedAttempt): GradedAttempt {
  return {
    decidedBy,
    grades: grades.map(({ model, reasoning, ...grade }) => ({
      ...grade,
      reasoning: clip(reasoning, HTML_LIMITS.text).text,
      ...(model === undefined ? {} : { model: judgeModelText(model) }),
    })),
  };
}

const ORIGINS = { plan: 'in the plan', execution: 'in the execution', hand_off: 'at a hand-off' };

function teamOf(
  { delegations = [], failureOrigin }: EpisodeResult,
  roles: RoleMetrics[],
): NonNullable<AttemptView['team']> {
  return {
    ...(failureOrigin ? { origin: `The failure arose ${ORIGINS[failureOrigin.where]}. ${failureOrigin.reason}` } : {}),
    roles: roles.map(roleRow),
    delegations: delegations.map((one) => {
      const taken = one.steps.length === 0 ? 'no steps' : captionOf(one.steps.map(String));
      const most = one.maxSteps === undefined ? '' : ` of at most ${one.maxSteps}`;
      const reward = one.reward === null ? '' : `, reward ${signed(one.reward)}`;
      return {
        executorId: one.executorId,
        status: one.status,
        about: `${taken}${most}, ${seconds(one.startedAt)} to ${seconds(one.endedAt)}${reward}`,
        instruction: clip(one.instruction, HTML_LIMITS.text).text,
        summary: clip(one.summary, HTML_LIMITS.text).text,
      };
    }),
  };
}

function roleRow({ role, executorId = role, usage, ...row }: RoleMetrics): RoleRow {
  const thinking = row.thinkingMs === null ? (usage ? UNKNOWN : '–') : seconds(row.thinkingMs);
  return {
    name: executorId,
    models: usage?.models.map((name) => (isTestModel(name) ? `${name} (test model)` : name)).join(', ') ?? '–',
    cells: [
      `${row.turns}`,
      `${row.steps}`,
      `${row.errors}`,
      row.reward === null ? '–' : signed(row.reward),
      usage ? `${tokenText(usage.inputTokens)} / ${tokenText(usage.outputTokens)}` : '–',
      usedCost(usage),
      thinking,
      seconds(row.toolMs),
    ],
  };
}
