import { expect, test } from 'vitest';
import { assertPublicUrl } from './public-url.ts';

const names: Record<string, string[]> = {
  'api.example.com': ['93.184.216.34'],
  'vllm.corp.example': ['10.0.0.7'],
  'rebind.example': ['93.184.216.34', '127.0.0.1'],
  'link.example': ['169.254.10.10'],
};
const resolve = async (host: string) => {
  const found = names[host];
  if (!found) throw new Error('ENOTFOUND');
  return found.map((address) => ({ address, family: 4 }));
};

test.each(['https://api.example.com/v1', 'http://vllm.corp.example:8000/v1', 'https://8.8.8.8/'])(
  '%s may be called',
  async (url) => expect((await assertPublicUrl(url, { resolve })).url.href).toBe(url),
);

test.each([
  ['http://127.0.0.1:11434/', 'url_refused'],
  ['http://localhost:11434/', 'url_refused'],
  ['http://LOCALHOST./', 'url_refused'],
  ['http://api.localhost/', 'url_refused'],
  ['http://[::1]/', 'url_refused'],
  ['http://[::ffff:127.0.0.1]/', 'url_refused'],
  ['http://2130706433/', 'url_refused'],
  ['http://0x7f.1/', 'url_refused'],
  ['http://0177.0.0.1/', 'url_refused'],
  ['http://0.0.0.0/', 'url_refused'],
  ['http://169.254.169.254/latest/meta-data/', 'url_refused'],
  ['http://metadata.google.internal/', 'url_refused'],
  ['http://METADATA.google.internal./', 'url_refused'],
  ['http://rebind.example/', 'url_refused'],
  ['http://link.example/', 'url_refused'],
  ['http://nowhere.example/', 'url_unresolved'],
  ['ftp://api.example.com/', 'url_invalid'],
  ['file:///etc/passwd', 'url_invalid'],
  ['https://user:pass@api.example.com/', 'url_invalid'],
  ['not an address', 'url_invalid'],
])('%s is refused: %s', async (url, code) => {
  await expect(assertPublicUrl(url, { resolve })).rejects.toMatchObject({ code });
});

test('what is allowed by name is allowed, and nothing else with it', async () => {
  const allow = ['loopback'] as const;
  await expect(assertPublicUrl('http://localhost:11434/', { resolve, allow })).resolves.toBeDefined();
  await expect(assertPublicUrl('http://169.254.169.254/', { resolve, allow })).rejects.toMatchObject({
    code: 'url_refused',
  });
  const strict = { resolve, publicOnly: true };
  await expect(assertPublicUrl('http://vllm.corp.example/', strict)).rejects.toMatchObject({ code: 'url_refused' });
});

test('a refusal says which address it was', async () => {
  await expect(assertPublicUrl('http://link.example/', { resolve })).rejects.toThrow(
    'link.example (169.254.10.10) is a link-local address, and is not called from here.',
  );
});
