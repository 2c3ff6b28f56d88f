import { describe, expect, test } from 'vitest';
import { assertPublicUrl } from './public-url.ts';

const names: Record<string, string[]> = {
  'api.example.com': ['93.184.216.34'],
  'vllm.corp.example': ['10.0.0.7'],
  'rebind.example': ['93.184.216.34', '127.0.0.1'],
  'link.example': ['169.254.10.10'],
  'local6.example': ['fd12::7'],
  'mapped.example': ['::ffff:10.0.0.7'],
  'metadata.example': ['169.254.169.254'],
};
const resolve = async (host: string) => {
  const found = names[host];
  if (!found) throw new Error('ENOTFOUND');
  return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

test.each(['https://api.example.com/v1', 'https://8.8.8.8/', 'http://[64:ff9b::808:808]/'])(
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
  ['http://10.1.2.3/', 'url_refused'],
  ['http://192.168.1.1/', 'url_refused'],
  ['http://012.1.2.3/', 'url_refused'],
  ['http://167838211/', 'url_refused'],
  ['http://vllm.corp.example:8000/v1', 'url_refused'],
  ['http://local6.example/', 'url_refused'],
  ['http://mapped.example/', 'url_refused'],
  ['http://metadata.example/', 'url_refused'],
  ['http://[fd12::1]/', 'url_refused'],
  ['http://[fe80::1]/', 'url_refused'],
  ['http://[fd00:ec2::254]/', 'url_refused'],
  ['http://[::ffff:10.0.0.7]/', 'url_refused'],
  ['http://[64:ff9b::a9fe:a9fe]/', 'url_refused'],
  ['http://link.example/', 'url_refused'],
  ['http://nowhere.example/', 'url_unresolved'],
  ['ftp://api.example.com/', 'url_invalid'],
  ['file:///etc/passwd', 'url_invalid'],
  ['https://user:pass@api.example.com/', 'url_invalid'],
  ['not an address', 'url_invalid'],
])('%s is refused: %s', async (url, code) => {
  await expect(assertPublicUrl(url, { resolve })).rejects.toMatchObject({ code });
});

test('a class that is allowed is allowed, and no other with it', async () => {
  const allow = ['loopback'] as const;
  await expect(assertPublicUrl('http://localhost:11434/', { resolve, allow })).resolves.toBeDefined();
  for (const url of ['http://169.254.169.254/', 'http://vllm.corp.example/'])
    await expect(assertPublicUrl(url, { resolve, allow })).rejects.toMatchObject({ code: 'url_refused' });
  const near = { resolve, allow: ['loopback', 'private'] } as const;
  await expect(assertPublicUrl('http://vllm.corp.example/', near)).resolves.toBeDefined();
});

describe('a host that is allowed by name', () => {
  const called = (url: string, ...hosts: string[]) => assertPublicUrl(url, { resolve, hosts });

  test.each([
    ['http://vllm.corp.example:8000/v1', 'vllm.corp.example'],
    ['http://VLLM.corp.example./v1', 'vllm.corp.example'],
    ['http://local6.example/', 'local6.example'],
    ['http://[fd12::1]/', 'fd12::1'],
    ['http://[fd12::1]/', '[fd12:0::1]'],
    ['http://10.1.2.3/', '10.1.2.3'],
    ['http://127.0.0.1:11434/', '127.0.0.1'],
    ['http://169.254.169.254/', '169.254.169.254'],
  ])('%s may be called with %s', async (url, host) => expect(await called(url, host)).toBeDefined());

  test.each([
    ['http://10.1.2.3/', '10.1.2.4'],
    ['http://other.vllm.corp.example/', 'vllm.corp.example'],
    // The name alone does not make a metadata or link-local address one that is meant.
    ['http://metadata.example/', 'metadata.example'],
    ['http://link.example/', 'link.example'],
    ['http://0.0.0.0/', '0.0.0.0'],
  ])('%s is still refused with %s', async (url, host) => {
    await expect(called(url, host)).rejects.toThrow();
  });
});

test('a refusal says what to do', async () => {
  await expect(assertPublicUrl('http://vllm.corp.example/', { resolve })).rejects.toMatchObject({
    message: 'vllm.corp.example (10.0.0.7) is a private address, and is not called from here.',
    hint: 'If this host is meant, start the server with --allow-provider-hosts vllm.corp.example.',
  });
});

test('a refusal says which address it was', async () => {
  await expect(assertPublicUrl('http://link.example/', { resolve })).rejects.toThrow(
    'link.example (169.254.10.10) is a link-local address, and is not called from here.',
  );
});
