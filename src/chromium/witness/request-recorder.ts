/**
 * Requests with as much of their contents as is asked for, each reported when it has ended. The witness has a recorder only where a grader
 * needs one; the logs of every attempt (`listen-network.ts`) do without it.
 */
import { cookiesSet, type HopHeaders, headersNamed } from './hop-headers.ts';

/** What is wanted of one request. Names of headers are in lower case. */
export interface WantedParts {
  readonly headers: ReadonlySet<string>;
  readonly cookies: ReadonlySet<string>;
  readonly body: boolean;
  readonly response: boolean;
}

export interface RequestQuestion {
  readonly url: string;
  /** It asks for the document of a tab. */
  readonly isNavigation: boolean;
}

/** The text, or a sentence on why it is not here. */
export type RecordedContent = { mediaType: string; text: string } | { problem: string };

export interface RecordedRequest {
  /** The order in which requests were sent, from 1. */
  number: number;
  at: number;
  method: string;
  url: string;
  navigation?: true;
  status?: number;
  failed?: string;
  /** How it ended is not known: its tab, or the attempt, ended before. */
  open?: true;
  headers?: Record<string, string>;
  cookies?: Record<string, string>;
  body?: RecordedContent;
  response?: RecordedContent;
}

export interface RecorderOptions {
  /** Undefined: the request is not wanted. */
  wanted: (request: RequestQuestion) => WantedParts | undefined;
  onEnded: (request: RecordedRequest) => void;
  now: () => number;
}

/** Requests that are reported. A page that makes more of them is not followed any further. */
const MAX_REQUESTS = 5_000;
/** Bytes of one body or response, and of all of them: a page may ask for the same thing every second. */
const MAX_CONTENT = 256 * 1024;
const MAX_CONTENTS = 16 * 1024 * 1024;

/** One request that is wanted and has not been reported. */
export interface PendingRequest {
  readonly request: RecordedRequest;
  readonly parts: WantedParts;
  /** Headers as they were on the wire; they come in events of their own, in any order. */
  readonly wire: HopHeaders;
  /** Of the response. */
  mediaType?: string;
  hasEnded?: true;
  /** What is still to come of it. */
  readonly reading: Promise<void>[];
}

export class RequestRecorder {
  readonly #options: RecorderOptions;
  readonly #pending = new Set<PendingRequest>();
  #sent = 0;
  #recorded = 0;
  #dropped = 0;
  #kept = 0;
  #isClosed = false;
  #onEmpty = Promise.withResolvers<void>();

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get counts(): { seen: number; recorded: number; dropped: number } {
    return { seen: this.#sent, recorded: this.#recorded, dropped: this.#dropped };
  }

  /** Undefined where the request is not wanted. */
  begin(sent: { method: string; url: string; isNavigation: boolean }): PendingRequest | undefined {
    if (this.#isClosed) return undefined;
    const number = ++this.#sent;
    const { method, url, isNavigation } = sent;
    const parts = this.#options.wanted({ url, isNavigation });
    if (!parts) return undefined;
    if (this.#recorded + this.#pending.size >= MAX_REQUESTS) {
      this.#dropped++;
      return undefined;
    }
    const request: RecordedRequest = { number, at: this.#options.now(), method, url };
    if (isNavigation) request.navigation = true;
    const pending: PendingRequest = { request, parts, wire: {}, reading: [] };
    this.#pending.add(pending);
    return pending;
  }

  /** What was sent or received, or why it is not kept. */
  content(mediaType: string, text: string): RecordedContent {
    const bytes = Buffer.byteLength(text);
    if (bytes > MAX_CONTENT) return { problem: `It has ${bytes} bytes, and at most ${MAX_CONTENT} are kept.` };
    if (this.#kept + bytes > MAX_CONTENTS)
      return {
        problem: `It is not kept: together, the requests before it have more than ${MAX_CONTENTS - bytes} bytes.`,
      };
    this.#kept += bytes;
    return { mediaType, text };
  }

  /** It has ended: it is reported as soon as its contents are read. */
  end(pending: PendingRequest): void {
    if (!this.#pending.has(pending)) return;
    pending.hasEnded = true;
    void Promise.allSettled(pending.reading).then(() => this.#report(pending));
  }

  /** Waits until the requests that are under way have ended, within a time limit; the others are reported as open. */
  async close(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const time = AbortSignal.timeout(timeoutMs);
    const limit = signal ? AbortSignal.any([signal, time]) : time;
    const expired = Promise.withResolvers<void>();
    limit.addEventListener('abort', () => expired.resolve(), { once: true });
    if (this.#pending.size > 0 && !limit.aborted) await Promise.race([this.#onEmpty.promise, expired.promise]);
    this.#isClosed = true;
    for (const pending of this.#pending) {
      if (!pending.hasEnded) pending.request.open = true;
      this.#report(pending);
    }
  }

  /** Nothing is reported any more. */
  stop(): void {
    this.#isClosed = true;
    this.#pending.clear();
  }

  #report(pending: PendingRequest): void {
    if (!this.#pending.delete(pending)) return;
    const { request, parts, wire } = pending;
    if (parts.headers.size > 0) request.headers = headersNamed(parts.headers, wire);
    if (parts.cookies.size > 0) request.cookies = cookiesSet(parts.cookies, wire);
    this.#recorded++;
    this.#options.onEnded(request);
    if (this.#pending.size > 0) return;
    this.#onEmpty.resolve();
    this.#onEmpty = Promise.withResolvers();
  }
}
