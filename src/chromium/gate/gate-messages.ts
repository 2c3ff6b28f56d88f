/** Messages between a tool server and the browser as the gate reads and changes them. */
import { z } from 'zod';
import type { Protocol } from '../cdp/protocol.ts';

/** How Chromium starts the events that may be about other contexts: targets, and downloads, which it sends to every session that asked for any (seen). */
export const FILTERED_EVENT = /^\{"method":"(?:Target|Browser)\./;

export const DIALOG_EVENT = '{"method":"Page.javascriptDialogOpening"';

const Incoming = z.object({
  id: z.number().int(),
  method: z.string().min(1).max(200),
  params: z.record(z.string(), z.unknown()).optional(),
  sessionId: z.string().optional(),
});
export type Incoming = z.infer<typeof Incoming>;

export interface RootMessage {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: unknown;
}

export const BROWSER_TARGET = { type: 'browser', title: '', url: '', attached: true, canAccessOpener: false };
const TargetFilter = z.array(z.object({ type: z.string().optional(), exclude: z.boolean().optional() }));
export const MALFORMED = 'Message must be a valid CDP command';
const Numbered = z.object({ id: z.number() });

/**
 * The DevTools inside chrome-devtools-mcp dismiss every dialog at once when the browser has no window, as in headless-shell,
 * and the server then reports that it accepted a dialog that was cancelled. With `hasBrowserHandler` they leave the dialog to the server.
 */
export function asWithAWindow(frame: Buffer): string {
  return frame.toString().replace('"hasBrowserHandler":false', '"hasBrowserHandler":true');
}

/** Whether a client that discovers targets with this filter hears of the browser. Of the entries that fit, the first one decides. */
export function announcesBrowser({ discover, filter }: Record<string, unknown>): boolean {
  const entries = TargetFilter.safeParse(filter).data ?? [];
  const first = entries.find(({ type }) => type === undefined || type === 'browser');
  return discover === true && first !== undefined && first.exclude !== true;
}

export function isOfBrowser({ params }: RootMessage): boolean {
  return (params?.['targetInfo'] as Protocol.Target.TargetInfo | undefined)?.type === 'browser';
}

/** A client of one page knows no session ids. */
export function withoutSession(frame: Buffer | string): string {
  const { sessionId: _, ...message } = JSON.parse(frame.toString()) as RootMessage & { sessionId?: string };
  return JSON.stringify(message);
}

/** The command; for a message that is not a valid command, its id, so that the error can answer it. */
export function parseCommand(data: Buffer): Incoming | { wrong: number | undefined } {
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    // The client gets an error that its message is malformed.
    return { wrong: undefined };
  }
  const parsed = Incoming.safeParse(json);
  return parsed.success ? parsed.data : { wrong: Numbered.safeParse(json).data?.id };
}
