/** Whether a request is signed as Amazon's Signature Version 4 says, by a key that is known: what a real object store checks first. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

export interface SignatureProblem {
  /** As Amazon names it. */
  readonly code: string;
  readonly message: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-amz-content-sha256'];
const MOST_SKEW_MS = 15 * 60_000;

/** @returns undefined where the signature is right. */
export function signatureProblem(
  { method, url, headers, body }: SignedRequest,
  secretOf: (keyId: string) => string | undefined,
  now: number = Date.now(),
): SignatureProblem | undefined {
  const given = new RegExp(`^${ALGORITHM} Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$`).exec(
    headers.authorization ?? '',
  );
  if (!given) return { code: 'AccessDenied', message: 'The request is not signed.' };
  const [, credential = '', names = '', signature = ''] = given;
  const [keyId = '', ...scope] = credential.split('/');
  const secret = secretOf(keyId);
  if (secret === undefined) return { code: 'InvalidAccessKeyId', message: 'There is no such key.' };
  const signed = names.split(';');
  const missing = MUST_BE_SIGNED.find((name) => !signed.includes(name));
  if (missing !== undefined) return { code: 'AccessDenied', message: `The header ${missing} is not signed.` };
  const time = headerOf(headers, 'x-amz-date');
  if (!(Math.abs(now - timeOf(time)) <= MOST_SKEW_MS))
    return { code: 'RequestTimeTooSkewed', message: `The time of the request is ${time}.` };
  const payload = headerOf(headers, 'x-amz-content-sha256');
  if (payload !== sha256(body))
    return { code: 'XAmzContentSHA256Mismatch', message: 'The body is not the one that was signed.' };
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    method,
    path,
    query.split('&').filter(Boolean).map(withEquals).sort().join('&'),
    ...signed.map((name) => `${name}:${headerOf(headers, name)}`),
    '',
    names,
    payload,
  ].join('\n');
  const text = [ALGORITHM, time, scope.join('/'), sha256(Buffer.from(canonical))].join('\n');
  const key = scope.reduce((last, part) => hmac(last, part), Buffer.from(`AWS4${secret}`));
  if (hmac(key, text).toString('hex') === signature) return undefined;
  return { code: 'SignatureDoesNotMatch', message: 'The signature is not the one of this request and this key.' };
}

const withEquals = (part: string): string => (part.includes('=') ? part : `${part}=`);
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: Uint8Array, text: string): Buffer<ArrayBuffer> =>
  Buffer.from(createHmac('sha256', key).update(text).digest());

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  return String(headers[name] ?? '')
    .trim()
    .replaceAll(/ +/g, ' ');
}

/** `20130524T000000Z`. */
function timeOf(text: string): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
