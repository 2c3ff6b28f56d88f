/**
 * What a witness observed, as plain data. A verdict depends on nothing else.
 * Facts are stored in `events.jsonl`, and evaluating them again gives the same evidence.
 * Every fact is optional. A missing fact is unknown: it never gets a default.
 */
import * as z from 'zod';
import { leavesOf } from './leaves-of.ts';
import type { Contract } from './schema.ts';

const time = z.number().meta({ description: 'Milliseconds, on the one clock that all facts of a record share.' });

/** A text that was too long to keep: its beginning, its length, and whether it contains what the contract asks for. */
const textDigest = z.strictObject({
  preview: z.string(),
  length: z.int().min(0),
  contains: z.record(z.string(), z.boolean()),
});

const hash = z.string().regex(/^[0-9a-f]{16}$/);

export const factsSchema = z.strictObject({
  /** When the facts were observed: the age of console entries and metrics is relative to this time. */
  ts: time.exactOptional(),
  /** URL of the top frame. */
  url: z.string().exactOptional(),
  /** By selector: the first match's text, or null where nothing matches. */
  domText: z.record(z.string(), z.union([z.string(), z.null(), textDigest])).exactOptional(),
  /** By selector: how many elements match. */
  domCount: z.record(z.string(), z.int().min(0)).exactOptional(),
  /** Responses, in the order in which they arrived. */
  network: z.array(z.strictObject({ url: z.string(), status: z.int(), ts: time })).exactOptional(),
  markers: z
    .strictObject({ contract_enter: time.exactOptional(), last_tool_call: time.exactOptional() })
    .exactOptional(),
  /** Whether a JavaScript dialog is open, and how many were opened since the contract was entered. */
  dialogs: z.strictObject({ open: z.boolean(), seen: z.int().min(0) }).exactOptional(),
  console: z
    .array(z.strictObject({ type: z.string(), text: z.string(), uncaught: z.boolean(), ts: time }))
    .exactOptional(),
  performance: z
    .array(
      z.strictObject({
        metric: z.string(),
        value: z.number(),
        unit: z.enum(['ms', 'seconds', 'bytes', 'count']),
        ts: time,
      }),
    )
    .exactOptional(),
  screenshot: z.strictObject({ hash, path: z.string().exactOptional() }).exactOptional(),
  /** By class: the perceptual hashes of its example pictures. */
  exemplars: z.record(z.string(), z.array(z.strictObject({ name: z.string(), hash }))).exactOptional(),
  /** By question: what the model answered about the screenshot. */
  answers: z.record(z.string(), z.string()).exactOptional(),
  /** The agent's final answer, or null where it ended without one. Until the attempt has ended it is unknown. */
  answer: z.string().nullable().exactOptional(),
  /** By probe (`dom`, `network`, …) or by `dom:<selector>`: why the fact is missing. */
  unavailable: z.record(z.string(), z.string()).exactOptional(),
});

export type Facts = z.infer<typeof factsSchema>;
export type TextDigest = z.infer<typeof textDigest>;
export type TextFact = string | null | TextDigest;
export type Exemplar = { name: string; hash: string };

/** What must be observed to evaluate a contract. Each list has no duplicates and follows the contract's order. */
export interface FactsNeeded {
  ts: boolean;
  url: boolean;
  /** Selectors whose first match is read, and selectors whose matches are counted. One round trip to the page serves both. */
  domText: string[];
  domCount: string[];
  network: boolean;
  markers: boolean;
  dialogs: boolean;
  console: boolean;
  performance: string[];
  screenshot: boolean;
  exemplars: string[];
  answers: string[];
  answer: boolean;
}

/**
 * @example
 * factsNeeded({ kind: 'dom_text', contains: 'Thank you' }).domText; // ['body']
 */
export function factsNeeded(contract: Contract): FactsNeeded {
  const leaves = [...leavesOf(contract)];
  const kinds = new Set(leaves.map((leaf) => leaf.kind));
  const listed = (pick: (leaf: (typeof leaves)[number]) => string | undefined) => [
    ...new Set(leaves.map(pick).filter((value) => value !== undefined)),
  ];
  return {
    ts: kinds.has('performance') || kinds.has('console'),
    url: kinds.has('url'),
    domText: listed((leaf) => (leaf.kind === 'dom_text' ? selectorOf(leaf) : undefined)),
    domCount: listed((leaf) => (leaf.kind === 'dom_count' ? leaf.selector : undefined)),
    network: kinds.has('network'),
    markers: kinds.has('network'),
    dialogs: kinds.has('no_dialog'),
    console: kinds.has('console'),
    performance: listed((leaf) => (leaf.kind === 'performance' ? leaf.metric : undefined)),
    screenshot: kinds.has('screenshot_class') || kinds.has('image_qa'),
    exemplars: listed((leaf) => (leaf.kind === 'screenshot_class' ? leaf.class_id : undefined)),
    answers: listed((leaf) => (leaf.kind === 'image_qa' ? leaf.question : undefined)),
    answer: kinds.has('answer'),
  };
}

/** Without a selector, the body is read. */
export const selectorOf = (leaf: { selector?: string }): string => leaf.selector ?? 'body';
