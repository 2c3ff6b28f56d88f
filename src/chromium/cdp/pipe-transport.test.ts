import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pipeTransport } from './pipe-transport.ts';

function pipe() {
  const toBrowser = new PassThrough();
  const fromBrowser = new PassThrough();
  const transport = pipeTransport(toBrowser, fromBrowser);
  const frames: string[] = [];
  const reasons: string[] = [];
  transport.onFrame = (frame) => frames.push(frame.toString());
  transport.onClose = (reason) => reasons.push(reason);
  return { toBrowser, fromBrowser, transport, frames, reasons };
}

describe('frames on a pipe', () => {
  test('the same frames come out, wherever the chunks are cut: in a frame, at its end, inside a character', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary', minLength: 1 }).map((text) => JSON.stringify({ text })),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 20 }), (messages, cuts) => {
        const { fromBrowser, frames } = pipe();
        const all = Buffer.from(messages.map((message) => `${message}\0`).join(''));
        const places = [...new Set([0, ...cuts.map((cut) => cut % all.length), all.length])].sort((a, b) => a - b);
        for (let i = 1; i < places.length; i++) fromBrowser.emit('data', all.subarray(places[i - 1], places[i]));
        expect(frames).toEqual(messages);
      }),
    );
  });

  test('a four-byte character split byte by byte arrives whole', () => {
    const { fromBrowser, frames } = pipe();
    for (const byte of Buffer.from('{"a":"😀é"}\0')) fromBrowser.emit('data', Buffer.from([byte]));
    expect(frames).toEqual(['{"a":"😀é"}']);
  });

  test('a frame is given out at its NUL and not before; two NULs in a row are no frame', () => {
    const { fromBrowser, frames } = pipe();
    fromBrowser.emit('data', Buffer.from('{"id":1}'));
    expect(frames).toEqual([]);
    fromBrowser.emit('data', Buffer.from('\0\0{"id":2}\0\0'));
    expect(frames).toEqual(['{"id":1}', '{"id":2}']);
  });

  test('what is sent ends with one NUL', () => {
    const { toBrowser, transport } = pipe();
    transport.send('{"text":"é"}');
    expect(toBrowser.read()?.toString()).toBe('{"text":"é"}\0');
  });
});

describe('the end of a pipe', () => {
  test('closed by us: said once, nothing is sent or given out afterwards', () => {
    const { toBrowser, fromBrowser, transport, frames, reasons } = pipe();
    transport.onFrame = (frame) => {
      frames.push(frame.toString());
      transport.close();
    };
    fromBrowser.emit('data', Buffer.from('1\x002\x00'));
    transport.close();
    transport.send('late');
    expect(frames).toEqual(['1']);
    expect(reasons).toEqual(['closed by us']);
    expect(toBrowser.read()).toBeNull();
  });

  test('closed by the browser', async () => {
    const { fromBrowser, transport, reasons } = pipe();
    const closed = new Promise<void>((resolve) => {
      transport.onClose = (reason) => {
        reasons.push(reason);
        resolve();
      };
    });
    fromBrowser.destroy();
    await closed;
    expect(reasons).toEqual(['the browser closed its pipe']);
  });

  test('a write into a pipe without a reader ends it with the system’s error', async () => {
    const { toBrowser, transport, reasons } = pipe();
    const closed = new Promise<void>((resolve) => {
      transport.onClose = (reason) => {
        reasons.push(reason);
        resolve();
      };
    });
    toBrowser.destroy(new Error('write EPIPE'));
    await closed;
    expect(reasons).toEqual(['write EPIPE']);
  });
});
