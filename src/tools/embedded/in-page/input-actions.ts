/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * What the tools' own script can do inside a document. It lives in an isolated world: the page can't see or change it.
 * `InputCalls` is what the tools ask from outside, by plain data; the rest is for the parts of the script among themselves.
 *
 * One world serves a document and everything of the same origin inside it (frames, open shadow roots). A frame of another
 * origin is `foreign`: it has a world of its own, and is named here by the number of its frame element.
 */

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
  /** Smaller is better: exact before partial, what can be acted on before what can't. */
  rank: number;
  shown: boolean;
  line: string;
}

export interface MatchAnswer {
  matches: Match[];
  /** More than are listed. */
  total: number;
  /** Frame elements whose documents could hold more, and what to look for in them. */
  foreign: { number: number; target: Target }[];
  /** Why nothing can match: a selector that is none, a hop that leads nowhere. */
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
  /** Documents to be put in after a line. */
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

/** What the guard saw of the events that were sent: `unseen` also where the page stops them before us. */
export interface Verdict {
  seen: 'hit' | 'missed' | 'unseen';
  /** What got the events instead. */
  instead?: string;
  /** A drag of the browser's own began. */
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

/** What the caller still has to do: insert text at the selection, click, hand over files, or nothing. */
export type Entry = { ok: true; next: 'insert'; text: string } | { ok: true; next: 'click' | 'files' | 'nothing' };

export interface ScrollState {
  x: number;
  y: number;
  /** Scroll events since the last question, and whether the last scroll has come to rest. */
  events: number;
  atRest: boolean;
  /** The middle of what is shown. */
  middle: [number, number];
}

/** Asked from outside. Every method takes one plain argument and gives plain data back. */
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
  /** What is at a point; null outside of what is shown. `arm`: the guard watches it. */
  at(request: { x: number; y: number; arm: boolean }): { line: string | null; view: [number, number] };
  scrollIntoView(request: { number: number }): { line: string } | Refused;
  /** Begins to watch; without an element, the page itself is scrolled right away where it can be (`done`). */
  scrollWatch(request: { number?: number | undefined; by: readonly [number, number] }): ScrollState & { done: boolean };
  scrollSettled(request: { ms: number }): Promise<ScrollState>;
  change(request: { since: number; ms: number }): Promise<number>;
  rest(request: Record<string, never>): void;
  frames(request: { count: number }): Promise<void>;
}

export interface InputActions extends InputCalls {
  /** Letters before the number: a ref names its document too. */
  letters: string;
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
  /** `byContent`: its words are its name, where its role allows it. */
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
