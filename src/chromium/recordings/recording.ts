/** A recording: the responses of a site, stored as one JSON file that people can read and compare. */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { findingsOf, messageOf, WaymarkError } from '../../errors/index.ts';

export const RECORDING_FORMAT = 'waymark.recording.v1';

const Entry = z.strictObject({
  method: z.string(),
  url: z.url(),
  /** SHA-256 of the request's body, where it had one. */
  requestBodyHash: z.string().optional(),
  status: z.number().int().min(100).max(599),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** The text, or `bodyBase64` where the bytes are not UTF-8. */
  body: z.string().optional(),
  bodyBase64: z.base64().optional(),
});
export type RecordedEntry = z.infer<typeof Entry>;

const Recording = z.strictObject({
  format: z.literal(RECORDING_FORMAT),
  /** A sentence about how the recording was made. */
  source: z.string(),
  entries: z.array(Entry),
});
export type Recording = z.infer<typeof Recording>;

export function readRecording(file: string): Recording {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new WaymarkError({
      code: 'recording_unreadable',
      message: `The recording ${file} can't be read: ${messageOf(cause)}.`,
      hint: 'Give the path of a recording, or record the site first.',
      cause,
    });
  }
  const parsed = Recording.safeParse(parseJson(file, text));
  if (parsed.success) return parsed.data;
  throw invalid(file, findingsOf(parsed.error, '$').slice(0, 3).join('; '));
}

export function writeRecording(file: string, recording: Recording): void {
  // The file is renamed into place, so that a full disk or a kill leaves the earlier recording unchanged.
  writeFileSync(`${file}.new`, `${JSON.stringify(recording, undefined, 2)}\n`);
  renameSync(`${file}.new`, file);
}

export function bodyOf(entry: RecordedEntry): Buffer {
  return entry.bodyBase64 === undefined ? Buffer.from(entry.body ?? '') : Buffer.from(entry.bodyBase64, 'base64');
}

export function entryBody(bytes: Buffer): Pick<RecordedEntry, 'body' | 'bodyBase64'> {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? { body: text } : { bodyBase64: bytes.toString('base64') };
}

/** The lookup key of a request. It has no fragment, because a fragment never reaches a server. */
export function requestKey(method: string, url: string, requestBodyHash?: string): string {
  return `${method} ${url.replace(/#.*$/s, '')} ${requestBodyHash ?? ''}`;
}

/** The part of a request that holds its body. `postData` alone loses every byte that is not text (seen). */
export interface RequestBody {
  headers: Record<string, string>;
  postData?: string;
  postDataEntries?: { bytes?: string }[];
}

/** SHA-256 of the body, or undefined without one. The browser does not report the contents of uploaded files. */
export function hashBody({ headers, postData, postDataEntries }: RequestBody): string | undefined {
  if (postData === undefined && postDataEntries === undefined) return undefined;
  const bytes = postDataEntries
    ? Buffer.concat(postDataEntries.map(({ bytes = '' }) => Buffer.from(bytes, 'base64')))
    : Buffer.from(postData ?? '');
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  // Chromium generates a new boundary for every form that it sends.
  const boundary = /^multipart\/.*;\s*boundary="?([^";]+)/i.exec(type)?.[1];
  const same = boundary ? Buffer.from(bytes.toString('latin1').replaceAll(boundary, 'boundary'), 'latin1') : bytes;
  return createHash('sha256').update(same).digest('hex');
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(file, messageOf(cause));
  }
}

function invalid(file: string, why: string): WaymarkError {
  return new WaymarkError({
    code: 'recording_invalid',
    message: `${file} is not a valid recording: ${why}.`,
    hint: `It must be JSON with "format": "${RECORDING_FORMAT}".`,
  });
}
