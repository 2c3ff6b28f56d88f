/**
 * A policy keeps no state: what it has done so far stands in the conversation. Each of its calls is marked with the plan that it belongs to and with
 * its number in that plan. The mark is in the call's id and, for protocols that drop ids, in the text beside the call.
 */
import type { Conversation, ModelToolResult } from '../conversation.ts';

/** A plan: a move of the transcript (`move 3`), a detour that began in a turn (`detour 7`), … */
export interface PlanLabel {
  readonly kind: PlanKind;
  readonly number: number;
}

export const PLAN_KINDS = ['move', 'detour', 'away', 'return', 'look', 'repeat', 'obey'] as const;
export type PlanKind = (typeof PLAN_KINDS)[number];

export interface MarkedCall {
  readonly label: PlanLabel;
  /** The number of the call in its plan, from 1. */
  readonly call: number;
  /** The number of the reply that made it, from 0. */
  readonly turn: number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: ModelToolResult | undefined;
}

const KINDS = PLAN_KINDS.join('|');
const ID = new RegExp(`^call_(${KINDS})(\\d+)_(\\d+)_\\d+_\\d+$`);
const TEXT = new RegExp(`\\b(${KINDS}) (\\d+), call (\\d+)\\b`, 'gi');

/** Unique in its conversation: no turn makes two calls of the same plan. */
export function markedId({ kind, number }: PlanLabel, call: number, turn: number, index = 0): string {
  return `call_${kind}${number}_${call}_${turn}_${index}`;
}

/** @example markedText({ kind: 'move', number: 3 }, 1); // => 'Move 3, call 1' */
export function markedText({ kind, number }: PlanLabel, call: number): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${number}, call ${call}`;
}

export function turnsIn({ messages }: Conversation): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/** What an agent says of a call that it did not make because its work ended there. */
const NOT_MADE = /^(?:Error: )?Not made:/;

/** The marked calls of a conversation that were made, in order. */
export function markedCalls({ messages }: Conversation): MarkedCall[] {
  const results = new Map(messages.flatMap(({ toolResults }) => toolResults).map((result) => [result.id, result]));
  return messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ text, toolCalls }, turn) => {
      const inText = [...text.matchAll(TEXT)];
      return toolCalls.flatMap((call, index) => {
        const [, kind, number, nth] = ID.exec(call.id) ?? inText[index] ?? [];
        const result = results.get(call.id);
        if (kind === undefined || NOT_MADE.test(result?.text ?? '')) return [];
        return [
          {
            label: { kind: kind.toLowerCase() as PlanKind, number: Number(number) },
            call: Number(nth),
            turn,
            name: call.name,
            arguments: call.arguments,
            result,
          },
        ];
      });
    });
}

export function isSamePlan(a: PlanLabel, b: PlanLabel): boolean {
  return a.kind === b.kind && a.number === b.number;
}
