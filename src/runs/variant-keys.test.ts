import { expect, test } from 'vitest';
import { assertVariantKeys } from './variant-keys.ts';

type Variant = Parameters<typeof assertVariantKeys>[1];
const AWAY = 'https://stranger.example/v1';
const model = (more: object): Variant => ({ model: { kind: 'openai', model: 'gpt-5-mini', ...more } });

function refused(variant: Variant, env: Record<string, string> = {}): { message: string; hint?: string } | undefined {
  try {
    assertVariantKeys('v.json', variant, env);
    return undefined;
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'usage_model' });
    return thrown as Error;
  }
}

test.each<[string, Variant]>([
  ['names no key', { model: 'openai:gpt-5-mini' }],
  ['sends a vendor’s key to the vendor', model({ keyEnv: 'OPENAI_API_KEY' })],
  ['has an address without a key', { model: { kind: 'openai-compatible', model: 'm', baseUrl: AWAY } }],
  ['switches the key off', model({ keyEnv: null, baseUrl: AWAY })],
  ['starts an agent with its usual key', { external: { preset: 'gemini' } }],
])('a file that %s is used', (_, variant) => expect(refused(variant)).toBeUndefined());

test.each<[string, Variant]>([
  ['any variable', model({ keyEnv: 'AWS_SECRET_ACCESS_KEY', baseUrl: AWAY })],
  ['any variable to the vendor', model({ keyEnv: 'AWS_SECRET_ACCESS_KEY' })],
  ['the usual key to another host', model({ baseUrl: AWAY })],
  ['a key of ours to another host', model({ keyEnv: 'WAYMARK_KEY_A', baseUrl: AWAY })],
  ['a key of a role to another host', { executorModel: { kind: 'openai', model: 'm', baseUrl: AWAY } }],
  ['an agent’s key to another host', { external: { preset: 'codex', baseUrl: AWAY } }],
  ['any variable to an agent', { external: { preset: 'codex', keyEnv: 'AWS_SECRET_ACCESS_KEY' } }],
])('a file that would send %s is refused', (_, variant) => expect(refused(variant)).toBeDefined());

test('the refusal says what to do, and that helps', () => {
  const variant = model({ keyEnv: 'WAYMARK_KEY_A', baseUrl: AWAY });
  expect(refused(variant)).toMatchObject({
    message:
      "The variant v.json can't be used: The key in WAYMARK_KEY_A is bound to no address, and a file can't decide that it is sent to https://stranger.example.",
    hint: 'Name the model by --model, --base-url and --key-env, or set WAYMARK_KEY_VARIABLES to default,WAYMARK_KEY_A=https://stranger.example.',
  });
  const env = { WAYMARK_KEY_VARIABLES: 'default,WAYMARK_KEY_A=https://stranger.example' };
  expect(refused(variant, env)).toBeUndefined();
});
