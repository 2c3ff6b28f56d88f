/** Tasks that the policies know the way through, and how a conversation is recognised as being about one. */
import path from 'node:path';
import { readTranscript, type Transcript } from '../../agents/index.ts';
import { type LoadedTask, loadTasks, type TaskInput } from '../../cases/index.ts';
import type { Conversation } from '../conversation.ts';

export interface KnownTask {
  readonly id: string;
  readonly goal: string;
  readonly startUrl: string;
  /** Absent where the task has no oracle. */
  readonly transcript?: Transcript;
}

/** The moves that this conversation is about, from 1, both included: an executor is given a part of a goal. */
export interface MoveRange {
  readonly from: number;
  readonly to: number;
}

export interface RecognisedTask extends KnownTask {
  readonly range: MoveRange;
}

export async function loadKnownTasks(places: readonly (string | TaskInput | LoadedTask)[]): Promise<KnownTask[]> {
  const loaded = places.filter((place): place is LoadedTask => typeof place !== 'string' && 'task' in place);
  const rest = places.filter((place) => typeof place === 'string' || !('task' in place)) as (string | TaskInput)[];
  const tasks = [...loaded, ...(rest.length > 0 ? await loadTasks(rest) : [])];
  return tasks.map(({ task: { id, goal, startUrl, oracle }, folder }) => ({
    id,
    goal,
    startUrl,
    ...(oracle === undefined ? {} : { transcript: readTranscript(path.resolve(folder, oracle)) }),
  }));
}

/** What an orchestrator writes so that its executor's model knows which moves are meant. */
export function partOf(goal: string, range: MoveRange): string {
  return `Do moves ${range.from} to ${range.to} of this goal: ${goal}`;
}

const PART = /\bmoves (\d+) to (\d+) of this goal\b/;

/** By the goal's text: the newest message of the user that holds a known goal counts, and the longest goal in it. The system text comes last. */
export function recogniseTask(
  { system, messages }: Conversation,
  tasks: readonly KnownTask[],
): RecognisedTask | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  for (const text of [...said.reverse(), system]) {
    const flat = flatten(text);
    const task = tasks
      .filter(({ goal }) => flat.includes(flatten(goal)))
      .sort((a, b) => b.goal.length - a.goal.length)[0];
    if (task) return { ...task, range: rangeIn(flat, task) };
  }
  return undefined;
}

function rangeIn(text: string, { transcript }: KnownTask): MoveRange {
  const last = transcript?.moves.length ?? 0;
  const [, from, to] = PART.exec(text) ?? [];
  return from === undefined ? { from: 1, to: last } : { from: Number(from), to: Math.min(Number(to), last) };
}

/** Agents indent, wrap and escape what they are given. */
function flatten(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll(/\s+/g, ' ').trim();
}
