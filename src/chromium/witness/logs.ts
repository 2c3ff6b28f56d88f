/** Bounded logs of what a context's pages did. The newest entries are kept, and all are counted. */

export interface NetworkEntry {
  requestId: string;
  /** The page, or the worker. */
  targetId: string;
  /** The frame that made the request. For a page's main document it equals the page. Absent for workers. */
  frameId?: string;
  method: string;
  url: string;
  /** Document, XHR, Fetch, Script, … */
  type: string;
  /** The URL that redirected the browser here. */
  redirectedFrom?: string;
  /** Undefined until a response arrived, and when the request failed. */
  status?: number;
  mimeType?: string;
  /** The transferred bytes, as far as the browser reports them. */
  size?: number;
  fromCache?: boolean;
  /** The browser's reason for a failure: `net::ERR_…`. */
  failed?: string;
  /** It could have changed something on a host that the task does not name, and was not sent. */
  blocked?: true;
  startedAt: number;
  respondedAt?: number;
  endedAt?: number;
  /** The number of the last tool call that was sent before this request. */
  marker: number;
}

export interface ConsoleEntry {
  targetId: string;
  at: number;
  marker: number;
  /** log, info, warning, error, … as the browser names them. */
  type: string;
  /** An uncaught exception or an unhandled rejection. */
  uncaught: boolean;
  text: string;
}

export interface DialogEntry {
  targetId: string;
  type: string;
  message: string;
  url: string;
  openedAt: number;
  marker: number;
  closedAt?: number;
  accepted?: boolean;
}

export interface DownloadEntry {
  guid: string;
  /** The page whose frame started it. */
  targetId: string;
  url: string;
  suggestedFilename: string;
  startedAt: number;
  marker: number;
  state: 'inProgress' | 'completed' | 'canceled';
  receivedBytes: number;
}

export interface PopupEntry {
  targetId: string;
  openerId: string;
  url: string;
  at: number;
  marker: number;
}

/** The reason of what the harness has blocked, as the browser names it. */
export const BLOCKED_BY_CLIENT = 'net::ERR_BLOCKED_BY_CLIENT';

/** Strings from a page are cut to this length before they are stored. */
const MAX_STRING = 4_096;

export function cut(text: string): string {
  return text.length > MAX_STRING ? `${text.slice(0, MAX_STRING)}… (${text.length} characters)` : text;
}

export class BoundedLog<T> {
  readonly #limit: number;
  #entries: T[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(entry: T): void {
    this.#entries.push(entry);
    this.#total++;
    // Entries are dropped in blocks, because dropping one at a time would copy the list with every event.
    if (this.#entries.length >= this.#limit * 2) this.#entries = this.#entries.slice(-this.#limit);
  }

  /** The number of all entries, including dropped ones. */
  get total(): number {
    return this.#total;
  }

  get entries(): readonly T[] {
    return this.#entries.length > this.#limit ? this.#entries.slice(-this.#limit) : this.#entries;
  }

  get dropped(): number {
    return this.#total - this.entries.length;
  }
}
