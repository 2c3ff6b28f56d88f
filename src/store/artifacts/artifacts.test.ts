import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signatureProblem } from '../../../test/support/check-signature.ts';
import { startS3, type TestS3 } from '../../../test/support/s3.ts';
import type { Artifacts } from './artifacts.ts';
import { FolderArtifacts } from './folder-artifacts.ts';
import { openArtifacts } from './open-artifacts.ts';
import { parseS3Address } from './s3-address.ts';
import { S3Artifacts } from './s3-artifacts.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-artifacts-'));
let s3: TestS3;
beforeAll(async () => {
  s3 = await startS3();
  for (const [name, value] of Object.entries(s3.keys)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
const listOf = async (artifacts: Artifacts, prefix?: string) => {
  const keys: string[] = [];
  for await (const { key } of artifacts.list(prefix)) keys.push(key);
  return keys;
};

describe.each([
  { kind: 'a folder', place: () => path.join(folder, 'artifacts') },
  { kind: 'a bucket', place: () => s3.address },
  { kind: 'a part of a bucket', place: () => s3.address.replace('?', '/deep/er?') },
])('$kind', ({ place }) => {
  let artifacts: Artifacts;
  beforeAll(async () => {
    artifacts = await openArtifacts(place());
  });
  const list = (prefix?: string) => listOf(artifacts, prefix);

  test('what is put can be had, replaced, listed and deleted', async () => {
    expect(await artifacts.put('runs/1/page.html', '<p>é')).toEqual({
      key: 'runs/1/page.html',
      bytes: 5,
      sha256: sha256('<p>é'),
    });
    expect(await text(await artifacts.get('runs/1/page.html'))).toBe('<p>é');
    expect(await artifacts.head('runs/1/page.html')).toMatchObject({ key: 'runs/1/page.html', bytes: 5 });
    await artifacts.put('runs/1/page.html', 'new');
    await artifacts.put('runs/10/a', 'x');
    await artifacts.put('top', 'x');
    expect(await text(await artifacts.get('runs/1/page.html'))).toBe('new');
    expect(await list()).toEqual(['runs/1/page.html', 'runs/10/a', 'top']);
    expect(await list('runs')).toEqual(['runs/1/page.html', 'runs/10/a']);
    // A prefix is whole parts: run 1 is not run 10.
    expect(await list('runs/1')).toEqual(['runs/1/page.html']);
    expect(await list('nothing')).toEqual([]);
    expect(await artifacts.delete('runs/1/page.html')).toBe(true);
    expect(await artifacts.delete('runs/1/page.html')).toBe(false);
    expect(await artifacts.head('runs/1/page.html')).toBeUndefined();
    await expect(artifacts.get('runs/1/page.html')).rejects.toMatchObject({ code: 'artifact_not_found' });
    await expect(artifacts.get('runs')).rejects.toMatchObject({ code: 'artifact_not_found' });
  });

  test('a stream is kept as it comes', async () => {
    // More than one part of an upload.
    const whole = Buffer.alloc(9_000_000, 'waymark');
    async function* chunks() {
      for (let at = 0; at < whole.length; at += 1_000_000) yield whole.subarray(at, at + 1_000_000);
    }
    expect(await artifacts.put('large.bin', chunks())).toMatchObject({ bytes: whole.length, sha256: sha256(whole) });
    expect((await buffer(await artifacts.get('large.bin'))).equals(whole)).toBe(true);
    await artifacts.put('empty', '');
    expect(await text(await artifacts.get('empty'))).toBe('');
  });

  test('the same content is kept once, under its hash', async () => {
    const first = await artifacts.putContent('picture', 'png');
    expect(first.key).toBe(`sha256/${sha256('picture').slice(0, 2)}/${sha256('picture')}.png`);
    const before = await artifacts.head(first.key);
    expect(await artifacts.putContent(Buffer.from('picture'), 'png')).toEqual(first);
    expect(await artifacts.head(first.key)).toEqual(before);
  });

  test('a write that fails leaves the old bytes, and no rest', async () => {
    await artifacts.put('kept', 'old');
    async function* broken() {
      yield Buffer.alloc(9_000_000);
      throw new Error('the source broke');
    }
    await expect(artifacts.put('kept', broken())).rejects.toThrow('the source broke');
    expect(await text(await artifacts.get('kept'))).toBe('old');
  });

  test.each([
    '../secret',
    'a/../../secret',
    '/etc/passwd',
    'a//b',
    'a/',
    '',
    '.',
    '..',
    '.tmp/x',
    'a/.hidden',
    'a\\..\\b',
    'C:x',
    'a\u0000b',
    'a b',
    'é',
    'a\n',
    '%2e%2e/x',
    `${'a/'.repeat(400)}a`,
    'a'.repeat(201),
  ])('%j is no name for anything', async (key) => {
    const refused = { code: 'artifact_key_invalid' };
    await expect(artifacts.put(key, 'x')).rejects.toMatchObject(refused);
    await expect(artifacts.get(key)).rejects.toMatchObject(refused);
    await expect(artifacts.head(key)).rejects.toMatchObject(refused);
    await expect(artifacts.delete(key)).rejects.toMatchObject(refused);
    if (key !== '') await expect(list(key)).rejects.toMatchObject(refused);
  });
});

test('a write that fails leaves no rest in the folder', async () => {
  const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
  async function* broken() {
    yield Buffer.from('ne');
    throw new Error('the source broke');
  }
  await expect(artifacts.put('rest', broken())).rejects.toThrow('the source broke');
  expect(readdirSync(path.join(folder, 'artifacts', '.tmp'))).toEqual([]);
});

test('a link that somebody laid there is not followed', async () => {
  const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));
  const secret = path.join(folder, 'secret');
  writeFileSync(secret, 'secret');
  mkdirSync(path.join(folder, 'artifacts', 'links'), { recursive: true });
  symlinkSync(secret, path.join(folder, 'artifacts', 'links', 'a'));
  await expect(artifacts.get('links/a')).rejects.toMatchObject({ code: 'artifact_not_found' });
  expect(await artifacts.head('links/a')).toBeUndefined();
  expect(await listOf(artifacts, 'links')).toEqual([]);
});

describe('a bucket that can not be used is told at once', () => {
  test('because it is not there', async () => {
    await expect(openArtifacts(`s3://nowhere?endpoint=${s3.endpoint}`)).rejects.toMatchObject({
      code: 'artifacts_bucket_missing',
      message: `There is no bucket s3://nowhere at ${s3.endpoint}.`,
    });
  });

  test('because the keys are wrong', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'SOMEBODY-ELSE');
    const refused = openArtifacts(s3.address);
    await expect(refused).rejects.toMatchObject({
      code: 'artifacts_denied',
      message: `s3://waymark-test at ${s3.endpoint} refuses these keys.`,
    });
    vi.stubEnv('AWS_ACCESS_KEY_ID', s3.keys.AWS_ACCESS_KEY_ID);
  });

  test('because the secret is wrong', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another secret');
    const { refused } = s3.counts;
    await expect(openArtifacts(s3.address)).rejects.toMatchObject({ code: 'artifacts_denied' });
    expect(s3.counts.refused).toBe(refused + 1);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', s3.keys.AWS_SECRET_ACCESS_KEY);
  });

  test('because nobody answers', async () => {
    await expect(openArtifacts('s3://bucket?endpoint=http://127.0.0.1:9')).rejects.toMatchObject({
      code: 'artifacts_unreachable',
      message: expect.stringMatching(/^s3:\/\/bucket at http:\/\/127.0.0.1:9 can't be reached: .*ECONNREFUSED/),
    });
  });
});

describe('a bucket whose server fails', () => {
  const address = () => parseS3Address(s3.address);

  test('is asked again after a 5xx, and nothing is lost', async () => {
    using artifacts = await S3Artifacts.open(address());
    s3.fail(503, 2);
    await artifacts.put('again', 'content');
    s3.fail(500, 2);
    expect(await text(await artifacts.get('again'))).toBe('content');
  });

  test('is given up after some tries, with a sentence', async () => {
    using artifacts = await S3Artifacts.open(address(), { tries: 2 });
    s3.fail(503, Number.POSITIVE_INFINITY);
    const { failed } = s3.counts;
    await expect(artifacts.put('never', 'content')).rejects.toMatchObject({
      code: 'artifacts_failed',
      message: `s3://waymark-test at ${s3.endpoint} answered 503: failed on purpose.`,
    });
    expect(s3.counts.failed).toBe(failed + 2);
    s3.fail(503, 0);
    expect(await artifacts.head('never')).toBeUndefined();
  });

  test('is not waited for without end', async () => {
    using artifacts = await S3Artifacts.open(address(), { tries: 2, requestMs: 200 });
    s3.fail('silent', Number.POSITIVE_INFINITY);
    const refused = artifacts.put('never', 'content');
    await expect(refused).rejects.toMatchObject({ code: 'artifacts_unreachable' });
    s3.fail('silent', 0);
  });
});

test('the endpoint may be given by the variable that the AWS tools use', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL', s3.endpoint);
  const artifacts = await openArtifacts('s3://waymark-test/from-variable');
  await artifacts.put('a', 'content');
  expect(await text(await artifacts.get('a'))).toBe('content');
  await expect(openArtifacts('s3://nowhere')).rejects.toMatchObject({
    message: `There is no bucket s3://nowhere at ${s3.endpoint}.`,
  });
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
});

describe('the bucket of the tests checks signatures', () => {
  // The example of Amazon's documentation: "GET Object" in "Signature Calculations for the Authorization Header".
  const example = {
    method: 'GET',
    url: '/test.txt',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': sha256(''),
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    body: Buffer.alloc(0),
  };
  const secret = () => 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const then = Date.parse('2013-05-24T00:00:00Z');

  test('as Amazon computes them', () => {
    expect(signatureProblem(example, secret, then)).toBeUndefined();
  });

  test.each([
    ['another path', { ...example, url: '/test.tx' }, 'SignatureDoesNotMatch'],
    ['another method', { ...example, method: 'PUT' }, 'SignatureDoesNotMatch'],
    ['a query', { ...example, url: '/test.txt?acl' }, 'SignatureDoesNotMatch'],
    ['another body', { ...example, body: Buffer.from('x') }, 'XAmzContentSHA256Mismatch'],
    ['no signature', { ...example, headers: { ...example.headers, authorization: undefined } }, 'AccessDenied'],
  ])('and refuses %s', (_, request, code) => {
    expect(signatureProblem(request, secret, then)).toMatchObject({ code });
  });

  test('and refuses another secret, and a request of another time', () => {
    expect(signatureProblem(example, () => 'other', then)).toMatchObject({ code: 'SignatureDoesNotMatch' });
    expect(signatureProblem(example, secret)).toMatchObject({ code: 'RequestTimeTooSkewed' });
  });
});

test('the address of a bucket has a prefix, an endpoint and a region', () => {
  expect(parseS3Address('s3://team-data/way/mark/?endpoint=http://127.0.0.1:9000&region=eu-central-1')).toEqual({
    bucket: 'team-data',
    prefix: 'way/mark',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-central-1',
  });
  expect(parseS3Address('s3://team-data')).toMatchObject({ prefix: '', endpoint: undefined, region: undefined });
});

test.each([
  's3:',
  's3://',
  's3://Team_Data',
  's3://key:secret@bucket',
  's3://bucket?endpoint=ftp://x',
  's3://bucket?endpoint=http://key@x',
  's3://bucket?secret=x',
])('%s is no address of a bucket', (address) => {
  expect(() => parseS3Address(address)).toThrow(expect.objectContaining({ code: 'usage_artifacts_address' }));
  try {
    parseS3Address(address);
  } catch (error) {
    expect(String(error)).not.toContain('secret@');
  }
});
