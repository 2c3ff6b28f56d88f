/** CDP over `--remote-debugging-pipe`: frames end with a NUL byte, and no debugging port is open on the machine. */
import type { Readable, Writable } from 'node:stream';
import type { Transport } from './transport.ts';

export function pipeTransport(toBrowser: Writable, fromBrowser: Readable): Transport {
  let closed = false;
  let pieces: Buffer[] = [];

  const transport: Transport = {
    onFrame: () => {},
    onClose: () => {},
    send(text) {
      if (closed) return;
      toBrowser.write(`${text}\0`);
    },
    close() {
      end('closed by us');
    },
  };

  function end(reason: string): void {
    if (closed) return;
    closed = true;
    toBrowser.destroy();
    fromBrowser.destroy();
    transport.onClose(reason);
  }

  fromBrowser.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let stop = chunk.indexOf(0); stop !== -1 && !closed; stop = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, stop);
      // A frame may span many chunks (a screenshot is megabytes), so they are joined once, at its end.
      const frame = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece]);
      pieces = [];
      start = stop + 1;
      if (frame.length > 0) transport.onFrame(frame);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  fromBrowser.on('close', () => end('the browser closed its pipe'));
  // A write after the browser died gives EPIPE here; without a listener it would end the harness.
  toBrowser.on('error', (error) => end(error.message));
  fromBrowser.on('error', (error) => end(error.message));
  return transport;
}
