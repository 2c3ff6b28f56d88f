/** Tasks that the policies know the way through, and how a conversation is recognised as being about one. */
import path from 'node:path';
import { readTranscript, type Transcript } from '../../agents/index.ts';
import { loadTasks } from '../../cases/index.ts';
import type { Conversation } from '../conversation.ts';

export interface KnownTask {
  readonly id: string;
  readonly goal: string;
  /** Absent where the task has no oracle. */
  readonly transcript?: Transcript;
}

/** The moves that this conversation is about, from 1, both included: an executor is given a part of a goal. `to` is 0 where it is to look around only. */
export interface MoveRange {
  readonly from: number;
  readonly to: number;
}

export interface RecognisedTask extends KnownTask {
  readonly range: MoveRange;
}

/** Of files and folders, and of tasks that a program has at hand. */
export async function loadKnownTasks(places: readonly (string | KnownTask)[]): Promise<KnownTask[]> {
  const paths = places.filter((place) => typeof place === 'string');
  const given = places.filter((place) => typeof place !== 'string');
  const loaded = paths.length > 0 ? await loadTasks(paths) : [];
  return [
    ...given,
    ...loaded.map(({ task: { id, goal, oracle }, folder }) => ({
      id,
      goal,
      ...(oracle === undefined ? {} : { transcript: readTranscript(path.resolve(folder, oracle)) }),
    })),
  ];
}

/** What an orchestrator writes so that its executor's model knows which moves are meant. */
export function partOf(goal: string, range: MoveRange): string {
  return `Do moves ${range.from} to ${range.to} of this goal: ${goal}`;
}

/** An instruction that asks for no move at all. */
export const LOOK_AROUND = 'Look around, change nothing, and say what is there.';

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
  if (text.includes(LOOK_AROUND)) return { from: 1, to: 0 };
  const [, from, to] = PART.exec(text) ?? [];
  return from === undefined ? { from: 1, to: last } : { from: Number(from), to: Math.min(Number(to), last) };
}

/** Agents indent, wrap and escape what they are given. */
function flatten(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll(/\s+/g, ' ').trim();
}
