/** Connects the pages of a session with the clipboard of their slot. */
import { z } from 'zod';
import type { Session } from '../cdp/session.ts';
import { CLIPBOARD_BINDING, CLIPBOARD_SOURCE, type ClipboardMessage, TURN_SYMBOL } from './in-page-clipboard.ts';
import type { SlotClipboard } from './slot-clipboard.ts';

const Message: z.ZodType<ClipboardMessage> = z.discriminatedUnion('what', [
  z.object({
    what: z.literal('put'),
    content: z.object({ texts: z.record(z.string(), z.string()) }),
  }),
  z.object({ what: z.enum(['begin', 'end']), id: z.int() }),
]);

/** Returns the requests to send while a page or a frame is paused at its start. */
export function watchCopies(session: Session, clipboard: SlotClipboard): Promise<unknown>[] {
  /** How to end the turns that pages have now, by context and number. */
  const turns = new Map<string, () => void>();

  const takeTurn = async (contextId: number, id: number): Promise<void> => {
    const ended = Promise.withResolvers<void>();
    turns.set(`${contextId} ${id}`, ended.resolve);
    const begin = { contextId, expression: `globalThis[Symbol.for('${TURN_SYMBOL}')]?.(${id})` };
    await session.send('Runtime.evaluate', begin);
    await ended.promise;
  };

  session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== CLIPBOARD_BINDING) return;
    // A page may find the function and call it with anything.
    const message = parse(payload);
    if (!message) return;
    if (message.what === 'put') return clipboard.put(message.content);
    const key = `${executionContextId} ${message.id}`;
    if (message.what === 'begin') {
      // The document may go away before or during its turn.
      void clipboard.use(() => takeTurn(executionContextId, message.id)).catch(() => {});
      return;
    }
    turns.get(key)?.();
    turns.delete(key);
  });
  session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    for (const [key, end] of turns) {
      if (!key.startsWith(`${executionContextId} `)) continue;
      end();
      turns.delete(key);
    }
  });
  return [
    session.send('Runtime.addBinding', { name: CLIPBOARD_BINDING }),
    session.send('Page.addScriptToEvaluateOnNewDocument', { source: CLIPBOARD_SOURCE, runImmediately: true }),
  ];
}

function parse(payload: string): ClipboardMessage | undefined {
  try {
    return Message.safeParse(JSON.parse(payload)).data;
  } catch {
    // It is not JSON, so it is not from the harness's script.
    return undefined;
  }
}
