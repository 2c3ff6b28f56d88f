/** The policies as an orchestrator, which has no browser: its tools are `delegate`, `complete` and `fail`. */
import { MAIN_LANE } from '../../events/index.ts';
import type { Conversation, ConversationTool, Draft, ModelToolResult } from '../conversation.ts';
import { claimOf } from './claim.ts';
import { LOOK_AROUND, type MoveRange, partOf, type RecognisedTask } from './known-task.ts';
import type { OrchestratorTurn } from './policy.ts';
import { findTool } from './tool-server.ts';

/** Goals of at least this many moves are delegated in two parts. */
const TWO_PARTS_FROM = 4;
const TRIES = 2;
/** The most calls that a move takes: some servers have to be asked first how they name an element. */
const CALLS_PER_MOVE = 3;
/** The most that an orchestrator may ask for. */
const MOST_STEPS = 100;

export function isOrchestrator({ tools }: Pick<Conversation, 'tools'>): boolean {
  return ['delegate', 'complete', 'fail'].every((name) => findTool(tools, name) !== undefined);
}

/** Delegates the goal in one or two parts to one executor, then completes with the answer. */
export function orchestrateInParts(turn: OrchestratorTurn): Draft {
  const { task } = turn;
  if (!task?.transcript) return call(turn, 'fail', { reason: 'I do not know this task.' });
  const parts = partsOf(task);
  const results = resultsOf(turn.conversation, 'delegate');
  const isDone = (part: MoveRange): boolean =>
    results.some(({ instruction, result }) => instruction.includes(partOf(task.goal, part)) && isGood(result));
  const next = parts.find((part) => !isDone(part));
  if (!next) return call(turn, 'complete', { answer: task.transcript.answer ?? 'The task is done.' });
  const instruction = partOf(task.goal, next);
  const tries = results.filter((each) => each.instruction.includes(instruction)).length;
  if (tries >= TRIES)
    return call(turn, 'fail', { reason: `The executor could not do moves ${next.from} to ${next.to}.` });
  const maxSteps = Math.min(MOST_STEPS, (next.to - next.from + 1) * CALLS_PER_MOVE);
  return delegate(turn, instruction, maxSteps);
}

/** Sends the executor to look around before the work begins. */
export function orchestrateAfterLooking(turn: OrchestratorTurn): Draft {
  if (resultsOf(turn.conversation, 'delegate').length === 0) return delegate(turn, LOOK_AROUND);
  return orchestrateInParts(turn);
}

export function completeAtOnce(turn: OrchestratorTurn): Draft {
  return call(turn, 'complete', { answer: claimOf(turn.task?.goal) });
}

/** The same instruction again and again, whatever came back. */
export function delegateForever(turn: OrchestratorTurn): Draft {
  const { task, conversation } = turn;
  const asked = conversation.messages.find(({ role }) => role === 'user')?.text ?? '';
  return delegate(turn, task?.goal ?? asked);
}

function partsOf({ transcript }: RecognisedTask): MoveRange[] {
  const moves = transcript?.moves.length ?? 0;
  if (moves < TWO_PARTS_FROM) return [{ from: 1, to: moves }];
  const middle = Math.ceil(moves / 2);
  return [
    { from: 1, to: middle },
    { from: middle + 1, to: moves },
  ];
}

interface Delegated {
  readonly instruction: string;
  readonly result: ModelToolResult;
}

function resultsOf({ messages, tools }: Conversation, name: string): Delegated[] {
  const full = findTool(tools, name)?.name;
  const results = new Map(messages.flatMap(({ toolResults }) => toolResults).map((result) => [result.id, result]));
  return messages
    .flatMap(({ toolCalls }) => toolCalls)
    .filter((made) => made.name === full)
    .flatMap(({ id, arguments: { instruction } }) => {
      const result = results.get(id);
      return result ? [{ instruction: String(instruction), result }] : [];
    });
}

/** A report begins with the executor and its status: "Executor main, blocked, 3 steps: …". */
function isGood({ text, isError }: ModelToolResult): boolean {
  return !isError && !/^Executor \S+, (?:blocked|max_steps|timeout|error|aborted),/.test(text);
}

/** Always to the executor of the first lane, whose tab shows the start page: the parts of a goal go on from one another. */
function delegate(turn: OrchestratorTurn, instruction: string, maxSteps?: number): Draft {
  const tool = findTool(turn.conversation.tools, 'delegate');
  const wanted = { executorId: MAIN_LANE, ...(maxSteps === undefined ? {} : { maxSteps }) };
  const taken = Object.entries(wanted).filter(([name]) => tool !== undefined && takes(tool, name));
  return call(turn, 'delegate', { instruction, ...Object.fromEntries(taken) });
}

function takes({ schema }: ConversationTool, name: string): boolean {
  const { properties } = schema;
  return typeof properties === 'object' && properties !== null && name in properties;
}

function call({ conversation, turn }: OrchestratorTurn, name: string, given: Record<string, unknown>): Draft {
  const tool = findTool(conversation.tools, name)?.name ?? name;
  return {
    reasoning: `The next thing to do is to ${name}.`,
    toolCalls: [{ id: `call_${name}_${turn}`, name: tool, arguments: given }],
  };
}
