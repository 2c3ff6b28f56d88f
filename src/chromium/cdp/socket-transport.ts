/** CDP over a WebSocket, for a browser that the harness did not start. */
import { once } from 'node:events';
import WebSocket from 'ws';
import { messageOf, WaymarkError } from '../../errors/index.ts';
import { asChromiumWrites } from './frame.ts';
import type { Transport } from './transport.ts';

export async function socketTransport(address: string, signal: AbortSignal): Promise<Transport> {
  const socket = open(address);
  let opened = false;
  const transport: Transport = {
    onFrame: () => {},
    onClose: () => {},
    send: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: () => socket.close(),
  };
  socket.on('message', (data: Buffer) => {
    let frame: Buffer;
    try {
      frame = asChromiumWrites(data);
    } catch {
      // The reason is passed to onClose.
      transport.onClose('what is there does not speak CDP');
      return socket.terminate();
    }
    transport.onFrame(frame);
  });
  socket.on('close', () => {
    if (opened) transport.onClose('the WebSocket was closed');
  });
  socket.on('error', (error) => {
    if (opened) transport.onClose(error.message);
  });
  try {
    await once(socket, 'open', { signal });
  } catch (cause) {
    socket.terminate();
    throw unreachable(address, cause);
  }
  opened = true;
  return transport;
}

function open(address: string): WebSocket {
  try {
    return new WebSocket(address, { perMessageDeflate: false, maxPayload: 1 << 28 });
  } catch (cause) {
    throw unreachable(address, cause);
  }
}

function unreachable(address: string, cause: unknown): WaymarkError {
  return new WaymarkError({
    code: 'browser_unreachable',
    message: `Could not connect to a browser at ${address}: ${messageOf(cause)}.`,
    hint: 'Check the address. It is the webSocketDebuggerUrl in /json/version of the browser.',
    cause,
  });
}
