/** Everything that can go wrong between an agent and its model, on demand. The table is the list: tests of the agents walk it. */
import type { Conversation, Draft, ModelToolCall } from './conversation.ts';
import { turnsIn } from './policies/call-marks.ts';

/** What the server does instead of, or to, a good reply. */
export type FaultEffect =
  /** The vendor's own refusal. */
  | {
      readonly kind: 'refuse';
      readonly refusal: 'rate_limited' | 'server_error' | 'key_refused' | 'context_overflow';
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Another body with status 200. */
  | { readonly kind: 'body'; readonly body: 'malformed' | 'html' | 'wrong-shape' }
  | { readonly kind: 'cut'; readonly when: 'before' | 'middle' }
  | { readonly kind: 'silence' }
  /** A well-formed reply with something wrong in it. */
  | { readonly kind: 'reply'; readonly change: (draft: Draft, conversation: Conversation) => Draft };

export interface Fault {
  readonly about: string;
  readonly effect: FaultEffect;
}

export const FAULTS = {
  '429': {
    about: 'status 429 with "retry-after: 0"',
    effect: { kind: 'refuse', refusal: 'rate_limited', headers: { 'retry-after': '0' } },
  },
  '429-without-retry-after': {
    about: 'status 429 that does not say when to come back',
    effect: { kind: 'refuse', refusal: 'rate_limited' },
  },
  '500': { about: 'status 500', effect: { kind: 'refuse', refusal: 'server_error' } },
  timeout: { about: 'the request is read and never answered', effect: { kind: 'silence' } },
  'cut-before': {
    about: 'the connection is closed before a byte of the reply',
    effect: { kind: 'cut', when: 'before' },
  },
  'cut-middle': {
    about: 'the connection is closed in the middle of the reply',
    effect: { kind: 'cut', when: 'middle' },
  },
  malformed: { about: 'status 200 with JSON that ends too early', effect: { kind: 'body', body: 'malformed' } },
  html: { about: 'status 200 with a page of a proxy', effect: { kind: 'body', body: 'html' } },
  'wrong-shape': { about: 'status 200 with JSON of another form', effect: { kind: 'body', body: 'wrong-shape' } },
  'refused-key': { about: "the vendor's refusal of a key", effect: { kind: 'refuse', refusal: 'key_refused' } },
  'context-overflow': {
    about: "the vendor's refusal of a prompt that is too long",
    effect: { kind: 'refuse', refusal: 'context_overflow' },
  },
  empty: { about: 'a reply without text and without a call', effect: { kind: 'reply', change: () => ({}) } },
  refusal: {
    about: 'a reply that is withheld by a content filter',
    effect: { kind: 'reply', change: () => ({ isRefusal: true, text: 'I cannot help with that.' }) },
  },
  'invalid-call': {
    about:
      'a call whose arguments are broken JSON (where a protocol sends arguments as JSON: a text in place of an object)',
    effect: { kind: 'reply', change: changedCall((call) => ({ ...call, rawArguments: '{"action": "cli' })) },
  },
  'wrong-arguments': {
    about: 'a call whose arguments do not fit the schema of the tool',
    effect: { kind: 'reply', change: changedCall((call) => ({ ...call, arguments: { unexpected: [true] } })) },
  },
  'unknown-tool': {
    about: 'a call to a tool that does not exist',
    effect: { kind: 'reply', change: changedCall((call) => ({ ...call, name: 'no_such_tool' })) },
  },
  'too-large': { about: 'a reply of 6 MB', effect: { kind: 'reply', change: () => ({ text: 'x'.repeat(6_000_000) }) } },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

export interface FaultChoice {
  readonly name: FaultName;
  /** Only the n-th request, from 1; every request without it. */
  readonly nth?: number;
}

/** What a flaky model does, drawn by its seed. */
export const FLAKY_FAULTS = ['429', '500', 'cut-before', 'malformed'] as const satisfies readonly FaultName[];

/**
 * A draft without a call gets one, so that the fault shows whenever it is asked for. The call has no mark of its plan: it was not made, and the policy
 * decides the same again in the next turn.
 */
function changedCall(change: (call: ModelToolCall) => ModelToolCall) {
  return (draft: Draft, conversation: Conversation): Draft => {
    const [tool] = conversation.tools;
    const made = draft.toolCalls?.[0] ?? { name: tool?.name ?? 'no_such_tool', arguments: {} };
    return { toolCalls: [change({ ...made, id: `call_fault_${turnsIn(conversation)}` })] };
  };
}
