import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WaymarkError } from '../../errors/index.ts';
import {
  bodyOf,
  entryBody,
  hashBody,
  RECORDING_FORMAT,
  type RecordedEntry,
  type Recording,
  readRecording,
  requestKey,
  writeRecording,
} from './recording.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-recording-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entry = (more: Partial<RecordedEntry> = {}): RecordedEntry => ({
  method: 'GET',
  url: 'https://example.com/',
  status: 200,
  headers: [['content-type', 'text/plain']],
  body: 'hello',
  ...more,
});

function failureOf(text: string | undefined): WaymarkError {
  const file = path.join(folder, 'wrong.json');
  rmSync(file, { force: true });
  if (text !== undefined) writeFileSync(file, text);
  try {
    readRecording(file);
  } catch (error) {
    return error as WaymarkError;
  }
  throw new Error('it was read');
}

describe('a file', () => {
  test('is read as it was written, and is JSON that people can read', () => {
    const file = path.join(folder, 'site.json');
    const recording: Recording = {
      format: RECORDING_FORMAT,
      source: 'a test',
      entries: [entry(), entry({ method: 'POST', requestBodyHash: 'ab', bodyBase64: 'AP8=', body: undefined })],
    };
    writeRecording(file, recording);
    expect(readRecording(file)).toEqual(JSON.parse(JSON.stringify(recording)));
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n {2}"format": "waymark\.recording\.v1",\n/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test('the one in the fixtures is valid', () => {
    const file = path.join(import.meta.dirname, '../../../fixtures/recordings/example.com.json');
    expect(readRecording(file).entries[0]?.url).toBe('https://example.com/');
  });

  test('that is not there, or is not a valid recording, gives a sentence that says where', () => {
    const file = path.join(folder, 'wrong.json');
    const hint = 'It must be JSON with "format": "waymark.recording.v1".';
    expect(failureOf(undefined)).toMatchObject({
      code: 'recording_unreadable',
      message: `The recording ${file} can't be read: ENOENT: no such file or directory, open '${file}'.`,
      hint: 'Give the path of a recording, or record the site first.',
    });
    expect(failureOf('{')).toMatchObject({ code: 'recording_invalid', hint });
    expect(failureOf('{').message).toMatch(new RegExp(`^${file} is not a valid recording: .*JSON.*\\.$`));
    const shapes: [unknown, RegExp][] = [
      [[], /: \$: Invalid input: expected object, received array\.$/],
      [{ format: 'har', source: '', entries: [] }, /: \$\.format: .*"waymark\.recording\.v1".*\.$/],
      [
        { format: RECORDING_FORMAT, source: '', entries: [{ ...entry(), status: 99 }] },
        /: \$\.entries\[0\]\.status: .+\.$/,
      ],
      [{ format: RECORDING_FORMAT, source: '', entries: [{ ...entry(), url: 'x' }] }, /: \$\.entries\[0\]\.url: .+\.$/],
      [{ format: RECORDING_FORMAT, source: '', entries: [{ ...entry(), bodyBase64: '!' }] }, /bodyBase64/],
      [
        { format: RECORDING_FORMAT, source: '', entries: [{ ...entry(), cookies: 1 }] },
        /\$\.entries\[0\]: .*cookies.*\.$/,
      ],
    ];
    for (const [shape, message] of shapes) {
      const failure = failureOf(JSON.stringify(shape));
      expect(failure).toMatchObject({ code: 'recording_invalid', hint });
      expect(failure.message).toMatch(message);
    }
  });
});

describe('bodies', () => {
  test('any bytes survive, as text where they are text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const kept = entryBody(Buffer.from(bytes));
        expect(bodyOf({ ...entry(), body: undefined, ...kept })).toEqual(Buffer.from(bytes));
      }),
    );
    expect(entryBody(Buffer.from('\ufeffé😀'))).toEqual({ body: '\ufeffé😀' });
    expect(entryBody(Buffer.from([0xe9]))).toEqual({ bodyBase64: '6Q==' });
    expect(bodyOf(entry({ body: undefined }))).toHaveLength(0);
  });
});

describe('what a request is looked up by', () => {
  const body = (bytes: Buffer, type = 'application/octet-stream') => ({
    headers: { 'Content-Type': type },
    postData: bytes.toString(),
    postDataEntries: [{ bytes: bytes.toString('base64') }],
  });

  test('method, URL without its fragment, and body', () => {
    expect(requestKey('GET', 'https://a/b?c#d')).toBe(requestKey('GET', 'https://a/b?c'));
    expect(requestKey('GET', 'https://a/b?c')).not.toBe(requestKey('GET', 'https://a/b?d'));
    expect(requestKey('GET', 'https://a/')).not.toBe(requestKey('HEAD', 'https://a/'));
    expect(requestKey('POST', 'https://a/', 'x')).not.toBe(requestKey('POST', 'https://a/', 'y'));
  });

  test('bodies differ by their bytes, also where they are no text; none is none', () => {
    expect(hashBody({ headers: {} })).toBeUndefined();
    expect(hashBody(body(Buffer.from([0, 255, 254])))).not.toBe(hashBody(body(Buffer.from([0, 255, 253]))));
    const parts = [{ bytes: Buffer.from('ab').toString('base64') }, {}, { bytes: Buffer.from('c').toString('base64') }];
    expect(hashBody({ headers: {}, postDataEntries: parts })).toBe(hashBody({ headers: {}, postData: 'abc' }));
  });

  test('a form that is sent twice is the same form, though its boundary is not', () => {
    const form = (boundary: string, value: string) =>
      body(
        Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`),
        `multipart/form-data; boundary=${boundary}`,
      );
    expect(hashBody(form('----WebKitFormBoundaryA', '1'))).toBe(hashBody(form('----WebKitFormBoundaryB', '1')));
    expect(hashBody(form('----WebKitFormBoundaryA', '1'))).not.toBe(hashBody(form('----WebKitFormBoundaryA', '2')));
  });
});
