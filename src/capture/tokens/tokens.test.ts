import { createHmac } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { ITEMS, KEYS, NEW_KEY, NOW, OLD_KEY, pack } from '../../../test/browser-harness/samples.ts';
import { promptHash } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { TOKEN_AUDIENCE, TOKEN_TYPE } from './claims.ts';
import { itemFingerprints, tokenKeys } from './token-keys.ts';
import { verifyToken } from './verify-token.ts';

const { dataset_token: token } = await pack();
const claims = decodeJwt(token);
const [header = '', payload = '', signature = ''] = token.split('.');
const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function refusal(value: unknown, keys = KEYS, now = NOW): Promise<WaymarkError> {
  const thrown = await verifyToken(value, keys, now).catch((error: unknown) => error);
  if (!(thrown instanceof WaymarkError)) throw new Error('accepted');
  return thrown;
}

const sign = (
  body: Record<string, unknown>,
  change: Record<string, unknown> = {},
  secret: Uint8Array = NEW_KEY.secret,
): Promise<string> =>
  new SignJWT(body).setProtectedHeader({ alg: 'HS256', typ: TOKEN_TYPE, kid: 'k2', ...change }).sign(secret);

describe('a token', () => {
  test('says which pack, dataset, items and page, and nothing else', () => {
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'HS256', typ: 'eval752-pack+jwt', kid: 'k2' });
    expect(claims).toEqual({
      aud: TOKEN_AUDIENCE,
      jti: 'pack-1',
      iat: NOW.getTime() / 1000,
      exp: NOW.getTime() / 1000 + 7 * 24 * 3600,
      dataset_id: 'ds-1',
      version_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      item_count: ITEMS.length,
      item_ids_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      items: ITEMS.map(({ id, prompt_text }) => [id, promptHash(prompt_text), expect.stringMatching(/^[\w-]{16}$/)]),
      target: { preset: 'chatgpt', origin: 'https://chatgpt.com', display_name: 'ChatGPT Web' },
      judge_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('is read back, until the last millisecond before it expires', async () => {
    expect((await verifyToken(token, KEYS, NOW)).claims).toEqual(claims);
    const end = new Date(Number(claims.exp) * 1000);
    await expect(verifyToken(token, KEYS, new Date(end.getTime() - 1))).resolves.toBeDefined();
    expect(await refusal(token, KEYS, end)).toMatchObject({
      code: 'token_expired',
      status: 410,
      message: 'The pack expired at 2026-03-08T12:00:00.000Z.',
    });
  });

  test('outlives a change of keys as long as its key is known', async () => {
    const old = await pack({}, {}).then(({ dataset_token }) => dataset_token);
    const rotated = tokenKeys([{ kid: 'k3', secret: Buffer.alloc(32, 3) }, NEW_KEY]);
    await expect(verifyToken(old, rotated, NOW)).resolves.toBeDefined();
    expect((await refusal(old, tokenKeys([OLD_KEY]))).code).toBe('token_invalid');
  });

  test.each([
    ['undefined', undefined, 'token_missing'],
    ['null', null, 'token_missing'],
    ['empty', '', 'token_missing'],
    ['a number', 7, 'token_malformed'],
    ['an object', { token }, 'token_malformed'],
    ['a word', 'hello', 'token_malformed'],
    ['two parts', `${header}.${payload}`, 'token_malformed'],
    ['four parts', `${token}.x`, 'token_malformed'],
    ['spaces', ` ${token}`, 'token_malformed'],
    ['padding', `${header}=.${payload}.${signature}`, 'token_malformed'],
    ['a header that is no JSON', `AAAA.${payload}.${signature}`, 'token_malformed'],
    ['a payload that is no JSON', `${header}.AAAA.${signature}`, 'token_malformed'],
    ['a payload that is a number', `${header}.${part(7)}.${signature}`, 'token_malformed'],
    ['five megabytes', `${header}.${'A'.repeat(5_000_000)}.${signature}`, 'token_malformed'],
  ])('that is %s is 400', async (_, value, code) => {
    expect(await refusal(value)).toMatchObject({ code, status: 400 });
  });

  test('that was tampered with is 401, always with the same words', async () => {
    const body = { ...claims };
    const none = `${part({ alg: 'none', typ: TOKEN_TYPE, kid: 'k2' })}.${payload}.`;
    const forged: Record<string, string> = {
      'another signature': `${header}.${payload}.${'A'.repeat(43)}`,
      'no signature': `${header}.${payload}.`,
      'another payload': `${header}.${part({ ...body, dataset_id: 'ds-2' })}.${signature}`,
      'alg none': none,
      'alg HS512 with the right key': (() => {
        const signed = `${part({ alg: 'HS512', typ: TOKEN_TYPE, kid: 'k2' })}.${payload}`;
        return `${signed}.${createHmac('sha512', NEW_KEY.secret).update(signed).digest('base64url')}`;
      })(),
      'alg HS512': await sign(body, { alg: 'HS512' }, Buffer.alloc(64, 2)),
      'another typ': await sign(body, { typ: 'JWT' }),
      'no typ': await sign(body, { typ: undefined }),
      'another kid': await sign(body, { kid: 'k9' }),
      'no kid': await sign(body, { kid: undefined }),
      'a kid that is a number': await sign(body, { kid: 2 as unknown as string }),
      'the kid of another key': await sign(body, { kid: 'k1' }),
      'another key': await sign(body, {}, Buffer.alloc(32, 9)),
      'another audience': await sign({ ...body, aud: 'other' }),
      'no audience': await sign({ ...body, aud: undefined }),
      'no expiry': await sign({ ...body, exp: undefined }),
      'no jti': await sign({ ...body, jti: undefined }),
      'a critical header': await sign(body, {}).then((good) => {
        const [, middle = ''] = good.split('.');
        return `${part({ alg: 'HS256', typ: TOKEN_TYPE, kid: 'k2', crit: ['b64'], b64: false })}.${middle}.${signature}`;
      }),
      'claims that disagree': await sign({ ...body, item_count: 3 }),
      'other ids than their hash': await sign({
        ...body,
        items: ITEMS.map(({ id }) => [`${id}x`, 'a'.repeat(22), 'b'.repeat(16)]),
      }),
      'an id twice': await sign({ ...body, items: ITEMS.map(() => ['a', 'a'.repeat(22), 'b'.repeat(16)]) }),
      'an expired forgery': await sign({ ...body, exp: 1 }, {}, Buffer.alloc(32, 9)),
    };
    const refusals = await Promise.all(
      Object.entries(forged).map(async ([name, value]) => {
        const { code, status, message, issues, hint } = await refusal(value);
        return [name, JSON.stringify({ code, status, message, issues, hint })] as const;
      }),
    );
    expect(refusals.filter(([, text]) => !text.includes('"code":"token_invalid","status":401'))).toEqual([]);
    expect(new Set(refusals.map(([, text]) => text)).size).toBe(1);
  });

  test('tells an item that changed in nothing but its answer, and only to who has the key', async () => {
    const { fingerprint, claims: read } = await verifyToken(token, KEYS, NOW);
    const [item] = ITEMS;
    if (!item) throw new Error('no items');
    expect(fingerprint(item)).toBe(read.items[0]?.[2]);
    expect(fingerprint({ ...item, answer: 'other' })).not.toBe(read.items[0]?.[2]);
    expect(itemFingerprints(OLD_KEY, 'pack-1')(item)).not.toBe(read.items[0]?.[2]);
    expect(itemFingerprints(NEW_KEY, 'pack-2')(item)).not.toBe(read.items[0]?.[2]);
  });
});

test.each([
  ['none', []],
  ['a short one', [{ kid: 'a', secret: Buffer.alloc(31, 1) }]],
  ['two of one name', [OLD_KEY, { ...OLD_KEY, secret: Buffer.alloc(32, 7) }]],
])('keys are refused: %s', (_, keys) => {
  expect(() => tokenKeys(keys)).toThrow(expect.objectContaining({ code: 'token_keys_invalid' }));
});
