/** What the server needs of a protocol: reading a request strictly, writing its reply whole or as a stream, and refusing as its vendor does. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Conversation, ModelReply } from '../conversation.ts';
import type { Refusal } from './refusal.ts';

export interface ProtocolRequest {
  /** Parsed JSON. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
  /** The groups of the path's pattern. */
  readonly path: Readonly<Record<string, string>>;
}

/** A request that was understood, with how its reply is written: that may depend on what was asked for. */
export interface ReadRequest {
  readonly conversation: Conversation;
  readonly isStreamed: boolean;
  write(reply: ModelReply): unknown;
  stream(reply: ModelReply): WrittenStream;
}

export interface WrittenStream {
  readonly contentType: string;
  /** Pieces of the body in order, each sent on its own. */
  readonly pieces: readonly string[];
}

export interface Protocol {
  readonly name: string;
  readonly path: RegExp;
  /** The key, where the vendor wants it. */
  keyOf(request: Pick<ProtocolRequest, 'headers' | 'url'>): string | undefined;
  /** @throws Refusal when the vendor would refuse the request. */
  read(request: ProtocolRequest): ReadRequest;
  failure(refusal: Refusal): { readonly status: number; readonly body: unknown };
  /** The words of the vendor for a prompt that is too long. */
  readonly overflowWords: string;
}

/** Events of a stream as `text/event-stream`. */
export function serverSentEvents(events: readonly { readonly event?: string; readonly data: unknown }[]): string[] {
  return events.map(({ event, data }) => {
    const name = event === undefined ? '' : `event: ${event}\n`;
    return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
  });
}

const PIECE = 24;

/** A text as a model streams it: in small pieces. */
export function piecesOf(text: string): string[] {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) =>
    text.slice(index * PIECE, (index + 1) * PIECE),
  );
}
