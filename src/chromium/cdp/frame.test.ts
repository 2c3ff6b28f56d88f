import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asChromiumWrites, readHead, readId, readSessionId, withId } from './frame.ts';

const bytes = (message: unknown): Buffer => Buffer.from(JSON.stringify(message));

const sessionIds = fc.string({
  unit: fc.constantFrom(...'0123456789ABCDEFabcdefXYZ'),
  minLength: 1,
  maxLength: 40,
});
/** Values made to look like a frame's head or tail. */
const tricky = fc.constantFrom(
  ',"sessionId":"ABC"}',
  '","sessionId":"ABC"}',
  '\\","sessionId":"ABC"}',
  '{"id":5,',
  '{"id":5,"result":{}}',
  '\u0000,\u{1f600}"}',
);
const values = fc.oneof(
  tricky,
  fc.jsonValue(),
  fc.record({ sessionId: sessionIds }),
  fc.record({ method: fc.string(), params: fc.record({ id: fc.nat(), sessionId: sessionIds }) }),
  fc.array(fc.record({ id: fc.nat(), sessionId: sessionIds }), { maxLength: 3 }),
);
const names = fc.constantFrom('Page.loadEventFired', 'Target.attachedToTarget', 'Runtime.consoleAPICalled');

describe('the head of a frame', () => {
  test('an answer says its id, whatever its result holds', () => {
    fc.assert(
      fc.property(fc.nat(), fc.option(sessionIds, { nil: undefined }), values, (id, sessionId, result) => {
        expect(readHead(bytes({ id, result, sessionId }))).toEqual({ id, sessionId: sessionId ?? '' });
      }),
    );
  });

  test('an event has no id, and says its session, whatever its params hold', () => {
    fc.assert(
      fc.property(names, fc.option(sessionIds, { nil: undefined }), values, (method, sessionId, params) => {
        expect(readHead(bytes({ method, params, sessionId }))).toEqual({ id: undefined, sessionId: sessionId ?? '' });
      }),
    );
  });

  test('a session id inside an error, params or a result is not the session of the frame', () => {
    expect(readSessionId(bytes({ id: 1, result: { sessionId: 'ABC' } }))).toBe('');
    expect(readSessionId(bytes({ id: 1, error: { code: 1, message: 'x', sessionId: 'ABC' } }))).toBe('');
    expect(readSessionId(bytes({ method: 'Target.detachedFromTarget', params: { a: 1, sessionId: 'ABC' } }))).toBe('');
    expect(readSessionId(bytes({ method: 'x', params: { text: ',"sessionId":"ABC"}' } }))).toBe('');
  });

  test('frames shorter than the tail that is read', () => {
    expect(readHead(Buffer.from('{}'))).toEqual({ id: undefined, sessionId: '' });
    expect(readHead(Buffer.alloc(0))).toEqual({ id: undefined, sessionId: '' });
    expect(readId(Buffer.from('{"id":'))).toBeUndefined();
  });
});

describe('the same answer under another id', () => {
  test('nothing else of it changes', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.maxSafeInteger(),
        fc.option(sessionIds, { nil: undefined }),
        values,
        (id, other, sessionId, result) => {
          expect(withId(bytes({ id, result, sessionId }), other).toString()).toBe(
            JSON.stringify({ id: other, result, sessionId }),
          );
        },
      ),
    );
  });
});

describe('frames that were not written by Chromium', () => {
  test('its own pass untouched, as the very same bytes', () => {
    for (const message of [
      { id: 7, result: {} },
      { id: 7, error: { code: -32000, message: 'no' }, sessionId: 'A1' },
      { method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: 'A1' },
    ]) {
      const frame = bytes(message);
      expect(asChromiumWrites(frame)).toBe(frame);
    }
  });

  test('another order or spacing of the same message gives the same head and the same message', () => {
    const shapes: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
      fc.record({ sessionId: sessionIds, id: fc.nat(), result: fc.object() }, { requiredKeys: ['id', 'result'] }),
      fc.record({ sessionId: sessionIds, method: names, params: fc.object() }, { requiredKeys: ['method', 'params'] }),
    );
    fc.assert(
      fc.property(shapes, fc.constantFrom(0, 1, 2), (message, spaces) => {
        const written = JSON.stringify(message, undefined, spaces);
        const frame = asChromiumWrites(Buffer.from(written));
        expect(readHead(frame)).toEqual({
          id: message['id'],
          sessionId: (message['sessionId'] as string | undefined) ?? '',
        });
        expect(JSON.parse(frame.toString())).toEqual(JSON.parse(written));
      }),
    );
  });

  test('what is no message is refused', () => {
    for (const text of ['', 'hello', 'null', '{"id":']) {
      expect(() => asChromiumWrites(Buffer.from(text)), text).toThrow();
    }
  });
});
