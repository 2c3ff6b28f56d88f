/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The interface of the tools' script inside a document. It runs in an isolated world, which the page can't see or change.
 * `InputCalls` are the methods that the tools call from outside, with plain data. The rest is shared between the parts of the script.
 *
 * One world serves a document and everything of the same origin inside it (frames, open shadow roots). A frame of another
 * origin is `foreign`: it has its own world, and is named here by the number of its frame element.
 */

import type { Dom } from '../../../chromium/index.ts';

export type Kind = 'stale_ref' | 'not_found' | 'not_visible' | 'not_stable' | 'disabled' | 'obscured' | 'bad_argument';

export interface Refused {
  ok: false;
  kind: Kind;
  message: string;
}

export type Target =
  | { selector: string }
  | { role: string; name?: string | undefined; exact?: boolean | undefined }
  | { text: string; exact?: boolean | undefined };

export interface Match {
  number: number;
  /** Lower is better: exact before partial, actionable before not actionable. */
  rank: number;
  shown: boolean;
  line: string;
}

export interface MatchAnswer {
  matches: Match[];
  /** The number of all matches, which may be more than are listed. */
  total: number;
  /** Frame elements whose documents could hold more, and what to look for in them. */
  foreign: { number: number; target: Target }[];
  /** Why nothing can match: an invalid selector, or a ">>>" without a target. */
  problem?: { kind: Kind; message: string };
  changes: number;
}

export interface FindAnswer {
  found: { number: number; score: number; line: string }[];
  foreign: number[];
}

export interface ReadRequest {
  filter: 'all' | 'interactive';
  /** Only what is under this element. */
  number?: number | undefined;
}

export interface ReadAnswer {
  ok: true;
  url: string;
  title: string;
  lines: string[];
  /** Documents to be inserted after a line. */
  foreign: { number: number; after: number; depth: number }[];
}

export interface AimRequest {
  number: number;
  purpose: 'click' | 'hover' | 'drag' | 'drop';
  /** From the top left corner of the element. */
  offset?: readonly [number, number] | undefined;
  waitMs: number;
}

export interface Aim {
  ok: true;
  x: number;
  y: number;
  line: string;
}

/** What the guard saw of the events that were sent. It is also `unseen` where the page stops them first. */
export interface Verdict {
  seen: 'hit' | 'missed' | 'unseen';
  /** The element that got the events instead. */
  instead?: string;
  /** Whether a native drag started. */
  dragStarted: boolean;
  line: string;
}

export interface EntryRequest {
  number: number;
  /** `focus`: keys follow. `put`: the control gets this value. */
  purpose: 'focus' | 'put';
  value?: string | number | boolean | readonly string[] | undefined;
  append?: boolean | undefined;
  waitMs: number;
}

/** What the caller still has to do: insert text at the selection, click, set files, or nothing. */
export type Entry = { ok: true; next: 'insert'; text: string } | { ok: true; next: 'click' | 'files' | 'nothing' };

export interface ScrollState {
  x: number;
  y: number;
  /** The scroll events since the last call, and whether the last scroll has ended. */
  events: number;
  atRest: boolean;
  /** The middle of the visible part. */
  middle: [number, number];
}

/** Called from outside. Every method takes one plain argument and returns plain data. */
export interface InputCalls {
  /** `watch`: changes are counted from now on, until `rest`. */
  match(request: { target: Target; retarget: boolean; watch: boolean }): MatchAnswer;
  find(request: { query: string; limit: number }): FindAnswer;
  read(request: ReadRequest): ReadAnswer | Refused;
  aim(request: AimRequest): Promise<Aim | Refused>;
  /** From a point inside a foreign frame to the same point in this document; scrolls it into view. */
  through(request: { number: number; x: number; y: number }): Promise<(Aim & { scrolled: boolean }) | Refused>;
  verdict(request: { rearm?: boolean }): Verdict;
  enter(request: EntryRequest): Promise<Entry | Refused>;
  tell(request: { number: number }): { line: string } | Refused;
  /** The element at a point; null outside the viewport. `arm`: the guard watches it. */
  at(request: { x: number; y: number; arm: boolean }): { line: string | null; view: [number, number] };
  scrollIntoView(request: { number: number }): { line: string } | Refused;
  /** Starts to watch. Without an element, the page itself is scrolled at once where possible (`done`). */
  scrollWatch(request: { number?: number | undefined; by: readonly [number, number] }): ScrollState & { done: boolean };
  scrollSettled(request: { ms: number }): Promise<ScrollState>;
  change(request: { since: number; ms: number }): Promise<number>;
  rest(request: Record<string, never>): void;
  frames(request: { count: number }): Promise<void>;
}

export interface InputActions extends InputCalls {
  /** The letters before the number, because a ref names its document too. */
  letters: string;
  /** Reads elements that may be forms. */
  dom: Dom;
  // refs.ts
  numberOf(element: Element): number;
  element(number: number): Element | undefined;
  stale(number: number): Refused;
  // tree.ts
  eachChild(node: Node, visit: (child: Node) => void): void;
  parent(node: Node): Element | null;
  frameDocument(element: Element): Document | null;
  isFrame(element: Element): boolean;
  isShown(element: Element): boolean;
  scopes(): { roots: (Document | ShadowRoot)[]; foreign: Element[] };
  /** From a point in the element's own document to this world's topmost one. */
  outward(document: Document, x: number, y: number): [number, number];
  hit(x: number, y: number): Element | null;
  reaches(target: Element, hit: Node | null): boolean;
  // names.ts
  role(element: Element): string;
  /** `byContent`: the text is used as the name, where the role allows it. */
  name(element: Element, role: string, byContent?: boolean): string;
  text(element: Element): string;
  clean(text: string): string;
  isActionable(element: Element, role: string): boolean;
  isDisabled(element: Element): boolean;
  // describe.ts
  describe(element: Element): string;
  line(element: Element, role: string, withRef: boolean, byContent?: boolean): string;
  // aim.ts
  guard(element: Element, purpose: string): void;
  disarm(): void;
  // changes.ts
  watch(): void;
  changes(): number;
  nextFrame(): Promise<void>;
}
