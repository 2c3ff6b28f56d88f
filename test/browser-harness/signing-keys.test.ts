import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  buildPack,
  listSigningKeys,
  MAX_TTL_S,
  openSigningKeys,
  retireSigningKey,
  rotateSigningKey,
  verifyToken,
} from '../../src/capture/index.ts';
import { heardCommand } from '../support/heard-command.ts';
import { datasetOf, ITEMS, NOW, request } from './samples.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waymark-keys-'));
  file = path.join(folder, 'signing-keys.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const dataset = datasetOf(ITEMS.filter(({ type }) => type !== 'judge'));
const tokenOf = async (keys: ReturnType<typeof openSigningKeys>) =>
  (await buildPack(dataset, request({ judge: null }), NOW, keys)).dataset_token;
const kidOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

test('a server that runs signs with the new key, and still takes what the old one signed, until that is retired', async () => {
  const keys = openSigningKeys(file, NOW);
  const old = await tokenOf(keys);
  rotateSigningKey(file, later(60));
  const fresh = await tokenOf(keys);
  expect(kidOf(fresh)).not.toBe(kidOf(old));
  expect(listSigningKeys(file)).toEqual([
    { kid: kidOf(fresh), created_at: later(60).toISOString(), state: 'signs', needed_until: null },
    {
      kid: kidOf(old),
      created_at: NOW.toISOString(),
      state: 'verifies',
      needed_until: later(60 + MAX_TTL_S).toISOString(),
    },
  ]);
  for (const token of [old, fresh]) await expect(verifyToken(token, keys, later(120))).resolves.toBeDefined();
  retireSigningKey(file, kidOf(old));
  await expect(verifyToken(old, keys, later(120))).rejects.toMatchObject({ code: 'token_invalid' });
  await expect(verifyToken(fresh, keys, later(120))).resolves.toBeDefined();
});

test('a key is forgotten when every pack that it can have signed has expired, and not before', () => {
  openSigningKeys(file, NOW);
  const [first] = listSigningKeys(file);
  const kids = () => listSigningKeys(file).map(({ kid }) => kid);
  rotateSigningKey(file, later(10));
  rotateSigningKey(file, later(10 + MAX_TTL_S - 1));
  expect(kids()).toContain(first?.kid);
  rotateSigningKey(file, later(10 + MAX_TTL_S));
  expect(kids()).not.toContain(first?.kid);
  expect(kids()).toHaveLength(3);
});

test('keys are made once, and a file that can not be read is named and not shown', () => {
  const { current } = openSigningKeys(path.join(folder, 'data', 'signing-keys.json'), NOW);
  expect(openSigningKeys(path.join(folder, 'data', 'signing-keys.json')).current).toEqual(current);
  writeFileSync(file, '{"keys": "hunter2');
  expect(() => openSigningKeys(file)).toThrow(`The signing keys in ${file} can't be used: it is not a file of keys.`);
  expect(readFileSync(file, 'utf8')).toBe('{"keys": "hunter2');
});

test('the file is its owner’s alone, whole at every moment, and changed by one at a time', () => {
  openSigningKeys(file, NOW);
  rotateSigningKey(file, NOW);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(`${file}.next`, '');
  expect(() => rotateSigningKey(file, NOW)).toThrow(expect.objectContaining({ code: 'signing_keys_busy' }));
  rmSync(`${file}.next`);
  const before = readFileSync(file, 'utf8');
  expect(() => retireSigningKey(file, 'nobody')).toThrow(expect.objectContaining({ code: 'usage_key_unknown' }));
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(`${file}.next`)).toBe(false);
});

async function waymark(...args: string[]) {
  const { code, out, err } = await heardCommand(['keys', ...args, '--signing-keys', file], folder);
  return { code, out: out + err };
}

test('on the command line: list, rotate, retire, and never a secret', async () => {
  expect((await waymark('list')).out).toContain("can't be used");
  openSigningKeys(file, NOW);
  const [first] = listSigningKeys(file);
  const rotated = await waymark('rotate');
  expect(rotated.out).toMatch(
    new RegExp(`^[0-9a-f]{12} {2}made \\S+ {2}signs new packs\\n${first?.kid} {2}made \\S+ {2}verifies packs, .*\\n$`),
  );
  const [current] = listSigningKeys(file);
  expect(await waymark('retire', current?.kid ?? '')).toMatchObject({ code: 2 });
  expect(await waymark('retire')).toMatchObject({ code: 2 });
  expect(await waymark('burn')).toMatchObject({ code: 2 });
  const retired = await waymark('retire', first?.kid ?? '', '--json');
  expect(JSON.parse(retired.out)).toEqual({ file, keys: listSigningKeys(file) });
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: { secret: string }[] };
  expect(keys).toHaveLength(1);
  expect(rotated.out + retired.out).not.toContain(keys[0]?.secret);
});
