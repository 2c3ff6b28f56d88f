import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { captureOf, datasetOf, KEYS, NEW_KEY, NOW, pack, request } from '../../../test/browser-harness/samples.ts';
import { canonicalHash, type Item, itemSchema, sha256Hex, versionHash } from '../../cases/index.ts';
import { checkCapture } from '../archive/check-capture.ts';
import type { Pack } from '../formats.ts';
import { claimsSchema } from '../tokens/claims.ts';
import { signToken } from '../tokens/sign-token.ts';
import { verifyToken } from '../tokens/verify-token.ts';

const LETTERS = ['A', 'B', 'C', 'D'];
const OPTIONS = ['red', 'green', 'blue', 'white'];
const shown = OPTIONS.map((option, index) => `${LETTERS[index]}) ${option}`).join('\n');
const items = ['B', 'D', 'A', 'C', 'D', 'B'].map((answer, index) =>
  itemSchema.parse({
    id: `q${index + 1}`,
    type: 'mcq_single',
    prompt_text: `Question ${index + 1}?\n${shown}`,
    choices: OPTIONS,
    answer,
  }),
);
const dataset = datasetOf(items);
const make = (): Promise<Pack> => pack({ judge: null }, {}, dataset);

/** Everything in a value that may be a hash, in its JSON and in the payload of a token. */
function hashesIn(value: unknown): Set<string> {
  const texts = [JSON.stringify(value)];
  for (const [token] of texts[0]?.matchAll(/[\w-]+\.[\w-]+\.[\w-]+/g) ?? [])
    texts.push(JSON.stringify(decodeJwt(token)));
  return new Set(texts.flatMap((text) => text.match(/[\w-]{16,}/g) ?? []));
}

/** Tries all answers that four options allow, with every hash of a dataset or an item that needs no key. */
function guessAnswers(made: Pack): string[] | undefined {
  const known = hashesIn(made);
  const isKnown = (hash: string): boolean => {
    const bytes = Buffer.from(hash, 'hex');
    const forms = [hash, ...[32, 16, 12].map((length) => bytes.subarray(0, length).toString('base64url'))];
    return forms.some((form) => known.has(form));
  };
  const guessed = made.items.map(({ id, section, prompt_text }) =>
    LETTERS.map(
      (answer): Item => itemSchema.parse({ id, type: 'mcq_single', section, prompt_text, choices: OPTIONS, answer }),
    ),
  );
  const single = guessed.map((options) => options.find((item) => isKnown(canonicalHash(item)))?.answer);
  if (single.some((answer) => answer !== undefined)) return single.map(String);
  for (let guess = 0; guess < LETTERS.length ** items.length; guess++) {
    const tried = guessed.map((options, index) => {
      const item = options[Math.floor(guess / LETTERS.length ** index) % LETTERS.length];
      if (!item) throw new Error('There are four options.');
      return item;
    });
    const hash = versionHash(tried);
    if (isKnown(hash) || isKnown(sha256Hex(hash))) return tried.map(({ answer }) => String(answer));
  }
  return undefined;
}

test('no answer of four options can be guessed from the prompts and the token of a pack', async () => {
  expect(guessAnswers(await make())).toBeUndefined();
});

test('two packs of one version have no hash of it in common', async () => {
  const [one, two] = await Promise.all([make(), pack({ judge: null }, { newId: () => 'pack-2' }, dataset)]);
  expect(one.dataset.version_hash).not.toBe(two.dataset.version_hash);
  expect(one.dataset.version_hash).toBe(decodeJwt(one.dataset_token)['version_hash']);
});

describe('a pack of the time when the hash of its version had no key', () => {
  const unkeyed = async (): Promise<Pack> => {
    const made = await make();
    const claims = claimsSchema.parse({ ...decodeJwt(made.dataset_token), version_hash: dataset.version_hash });
    return { ...made, dataset_token: await signToken(claims, NEW_KEY) };
  };

  test('is still found out by the guesses: they would work', async () => {
    expect(guessAnswers(await unkeyed())).toEqual(items.map(({ answer }) => answer));
  });

  test('can still be imported, and not with other answers', async () => {
    const capture = captureOf(await unkeyed(), () => 'B', request({ judge: null }));
    const token = await verifyToken(capture.browser_harness.dataset_token, KEYS, NOW);
    expect(checkCapture(capture, token, dataset)).toMatchObject({ counts: { answered: items.length } });
    const changed = items.map((item) => (item.id === 'q1' ? { ...item, answer: 'C' } : item));
    expect(() => checkCapture(capture, token, datasetOf(changed))).toThrow('1 items of the pack were changed');
  });
});
