/**
 * What a witness observed, as plain data. A verdict depends on nothing else.
 * Facts are stored in `events.jsonl`, and evaluating them again gives the same evidence.
 * Every fact is optional. A missing fact is unknown: it never gets a default.
 */
import * as z from 'zod';
import { leavesOf } from './leaves-of.ts';
import type { Contract, Leaf } from './schema.ts';

const time = z.number().meta({ description: 'Milliseconds, on the one clock that all facts of a record share.' });

const answersTo = z.record(z.string(), z.boolean());

/** A text that was too long to keep: its beginning, its length, and how the comparisons of the contract came out. */
const textDigest = z.strictObject({
  preview: z.string(),
  length: z.int().min(0),
  contains: answersTo,
  equals: answersTo.exactOptional(),
  /** A pattern that the text is too long for is left out. */
  patterns: answersTo.exactOptional(),
});

const text = z.union([z.string(), z.null(), textDigest]);

const control = z.strictObject({
  /** The live value; null where the element has none. */
  value: text,
  /** Of a checkbox or a radio button. */
  checked: z.boolean().exactOptional(),
  /** Of an option: whether it is selected. Of a select: its selected options. */
  selected: z.union([z.boolean(), z.array(z.strictObject({ label: z.string(), value: z.string() }))]).exactOptional(),
});

/** By probe (`dom`, `network`, …) or by `dom:<selector>`: why the fact is missing. */
const unavailable = z.record(z.string(), z.string()).exactOptional();

const domFacts = {
  /** By selector: the first match's text, or null where nothing matches. */
  domText: z.record(z.string(), text).exactOptional(),
  /** By selector: the first match as a form control, or null where nothing matches. */
  domValue: z.record(z.string(), control.nullable()).exactOptional(),
  /** By selector: how many elements match. */
  domCount: z.record(z.string(), z.int().min(0)).exactOptional(),
};

/** By expression: its JSON value in the page's own world. */
const scriptFacts = z.record(z.string(), z.json()).exactOptional();

const hash = z.string().regex(/^[0-9a-f]{16}$/);

export const factsSchema = z.strictObject({
  /** When the facts were observed: the age of console entries and metrics is relative to this time. */
  ts: time.exactOptional(),
  /** URL of the top frame. */
  url: z.string().exactOptional(),
  ...domFacts,
  /** By `page_url`: what the page showed that was opened once the attempt had ended. Until then it is unknown. */
  pages: z.record(z.string(), z.strictObject({ ...domFacts, script: scriptFacts, unavailable })).exactOptional(),
  script: scriptFacts,
  /** Responses, in the order in which they arrived, and requests that the harness has blocked. */
  network: z
    .array(z.strictObject({ url: z.string(), status: z.union([z.int(), z.literal('blocked')]), ts: time }))
    .exactOptional(),
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
  unavailable,
});

export type Facts = z.infer<typeof factsSchema>;
export type TextDigest = z.infer<typeof textDigest>;
export type TextFact = string | null | TextDigest;
export type ControlFact = z.infer<typeof control>;
/** What a contract needs to know of the elements of one page. */
export type DomFacts = Pick<Facts, 'domText' | 'domValue' | 'domCount' | 'unavailable'>;
/** The same of a page that was opened once the attempt had ended, with values of its script. */
export type PageFacts = DomFacts & Pick<Facts, 'script'>;
export type Exemplar = { name: string; hash: string };

/** How a leaf compares a text: in one of these ways. */
export interface TextComparison {
  contains?: string;
  equals?: string;
  pattern?: string;
}

/** A text or a value that is read, and what it is compared with: a long one is compared where it is, in the page. */
export interface TextNeeded {
  selector: string;
  contains: string[];
  equals: string[];
  /** Patterns are matched outside the page, so the whole text is handed over for them. */
  patterns: string[];
}

/** One round trip to the page serves all of it. */
export interface DomNeeded {
  domText: TextNeeded[];
  domValue: TextNeeded[];
  /** Selectors whose matches are counted. */
  domCount: string[];
}

/** What a contract asks of a page that is opened once the attempt has ended. */
export interface PageNeeded extends DomNeeded {
  /** Expressions. */
  script: string[];
}

/** What must be observed to evaluate a contract. Each list has no duplicates and follows the contract's order. */
export interface FactsNeeded extends DomNeeded {
  ts: boolean;
  url: boolean;
  /** Pages to open once the attempt has ended. */
  pages: ({ url: string } & PageNeeded)[];
  /** Expressions. */
  script: string[];
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
 * factsNeeded({ kind: 'dom_text', contains: 'Thank you' }).domText;
 * // [{ selector: 'body', contains: ['Thank you'], equals: [], patterns: [] }]
 */
export function factsNeeded(contract: Contract): FactsNeeded {
  const leaves = [...leavesOf(contract)];
  const kinds = new Set(leaves.map((leaf) => leaf.kind));
  const listed = (pick: (leaf: Leaf) => string | undefined) => unique(leaves.map(pick));
  return {
    ts: kinds.has('performance') || kinds.has('console'),
    url: kinds.has('url'),
    ...pageNeeded(leaves.filter((leaf) => pageOf(leaf) === undefined)),
    pages: listed(pageOf).map((url) => ({ url, ...pageNeeded(leaves.filter((leaf) => pageOf(leaf) === url)) })),
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

function pageNeeded(leaves: readonly Leaf[]): PageNeeded {
  return {
    domText: textsNeeded(leaves.filter((leaf) => leaf.kind === 'dom_text')),
    domValue: textsNeeded(leaves.filter((leaf) => leaf.kind === 'dom_value')),
    domCount: unique(leaves.map((leaf) => (leaf.kind === 'dom_count' ? leaf.selector : undefined))),
    script: unique(leaves.map((leaf) => (leaf.kind === 'script' ? leaf.expression : undefined))),
  };
}

function textsNeeded(leaves: readonly (TextComparison & { selector?: string })[]): TextNeeded[] {
  return [...Map.groupBy(leaves, selectorOf)].map(([selector, asking]) => ({
    selector,
    contains: unique(asking.map(({ contains }) => contains)),
    equals: unique(asking.map(({ equals }) => equals)),
    patterns: unique(asking.map(({ pattern }) => pattern)),
  }));
}

/** Whether anything must be read from the page. */
export function readsDom({ domText, domValue, domCount }: DomNeeded): boolean {
  return domText.length + domValue.length + domCount.length > 0;
}

/** Without a selector, the body is read. */
export const selectorOf = (leaf: { selector?: string }): string => leaf.selector ?? 'body';

const pageOf = (leaf: Leaf): string | undefined => ('page_url' in leaf ? leaf.page_url : undefined);

const unique = (texts: readonly (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined)),
];

/** A fact that is null was not observed; only an answer may be null. */
export function observedFacts(facts: Facts): Facts {
  const entries = Object.entries(facts);
  return entries.some(([, value]) => value === null)
    ? Object.fromEntries(entries.filter(([name, value]) => value !== null || name === 'answer'))
    : facts;
}
