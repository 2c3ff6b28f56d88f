import { describe, expect, test } from 'vitest';
import { DEFAULT_KEY_ACCESS, keyRefusal, parseKeyVariables, usualKeyRefusal } from './key-access.ts';

const STRANGER = 'https://stranger.example/v1';
const use = (keyEnv: string, baseUrl = STRANGER, boundTo: string | null = null) => ({ keyEnv, baseUrl, boundTo });

describe('without a list', () => {
  const refused = (...about: Parameters<typeof use>) => keyRefusal(use(...about), DEFAULT_KEY_ACCESS);

  test.each(['PATH', 'AWS_SECRET_ACCESS_KEY', 'DATABASE_URL', 'WAYMARK_TOKEN', 'XWAYMARK_KEY_A', 'waymark_key_a'])(
    '%s is no key',
    (name) => expect(refused(name)?.code).toBe('key_variable_refused'),
  );

  test('a refusal says what to do', () => {
    expect(refused('PATH')).toEqual({
      code: 'key_variable_refused',
      message: 'The environment variable PATH may not be used as a key.',
      hint: 'Put the key into a variable whose name begins with WAYMARK_KEY_, or start the server with --key-variables default,PATH.',
    });
    expect(refused('OPENAI_API_KEY')).toEqual({
      code: 'key_host_refused',
      message:
        'The key in OPENAI_API_KEY belongs to https://api.openai.com, and is not sent to https://stranger.example.',
      hint: 'Put the key of https://stranger.example into a variable of its own, whose name begins with WAYMARK_KEY_, or start the server with --key-variables default,OPENAI_API_KEY=https://stranger.example.',
    });
  });

  test.each([
    ['OPENAI_API_KEY', 'https://api.openai.com/v1'],
    ['OPENAI_API_KEY', 'https://API.openai.com:443/v1'],
    ['GEMINI_API_KEY', 'https://generativelanguage.googleapis.com/v1beta'],
  ])('the key in %s goes to %s', (name, url) => expect(refused(name, url)).toBeUndefined());

  test.each([
    ['OPENAI_API_KEY', 'http://api.openai.com/v1'],
    ['OPENAI_API_KEY', 'https://api.openai.com.stranger.example/v1'],
    ['OPENAI_API_KEY', 'https://api.openai.com@stranger.example/v1'],
    ['OPENAI_API_KEY', 'https://api.openai.com:8443/v1'],
    ['ANTHROPIC_API_KEY', 'https://api.openai.com/v1'],
  ])('the key in %s does not go to %s', (name, url) => expect(refused(name, url)?.code).toBe('key_host_refused'));

  test('a variable of ours goes to where it was bound, and to no other host, scheme or port', () => {
    const bound = 'https://gateway.example';
    expect(refused('WAYMARK_KEY_A', STRANGER)).toBeUndefined();
    expect(refused('WAYMARK_KEY_A', `${bound}/v1`, bound)).toBeUndefined();
    for (const url of [STRANGER, 'http://gateway.example/v1', 'https://gateway.example:444/v1'])
      expect(refused('WAYMARK_KEY_A', url, bound)?.code).toBe('key_host_refused');
  });
});

describe('with a list', () => {
  const refused = (list: string, ...about: Parameters<typeof use>) =>
    keyRefusal(use(...about), parseKeyVariables(list))?.code;

  test('what is on it may be used, and nothing else', () => {
    expect(refused('TEAM_KEY', 'TEAM_KEY')).toBeUndefined();
    expect(refused('TEAM_*', 'TEAM_KEY')).toBeUndefined();
    expect(refused('TEAM_KEY', 'TEAM_KEY_2')).toBe('key_variable_refused');
    expect(refused('TEAM_KEY', 'WAYMARK_KEY_A')).toBe('key_variable_refused');
    expect(refused('default,TEAM_KEY', 'WAYMARK_KEY_A')).toBeUndefined();
  });

  test('an origin stands above that of the vendor, and above the one that the key was bound to', () => {
    const list = 'default,OPENAI_API_KEY=https://stranger.example,WAYMARK_KEY_A=https://new.example/v1';
    expect(refused(list, 'OPENAI_API_KEY', STRANGER)).toBeUndefined();
    expect(refused(list, 'OPENAI_API_KEY', 'https://api.openai.com/v1')).toBe('key_host_refused');
    expect(refused(list, 'WAYMARK_KEY_A', 'https://new.example', 'https://old.example')).toBeUndefined();
    expect(refused(list, 'WAYMARK_KEY_A', 'https://old.example', 'https://old.example')).toBe('key_host_refused');
  });

  test.each(['*', 'A-B', '', 'A,,B', 'A=ftp://x', 'A=gateway.example', 'default=https://x.example/v1,*'])(
    '"%s" is refused',
    (list) => expect(() => parseKeyVariables(list)).toThrow("The list of key variables can't be used: "),
  );
});

test('the usual variable of a kind goes to its vendor alone', () => {
  expect(usualKeyRefusal('OPENAI_API_KEY', 'https://api.openai.com/v1')).toBeUndefined();
  expect(usualKeyRefusal('OPENAI_API_KEY', STRANGER)).toBe(
    'The key in OPENAI_API_KEY belongs to https://api.openai.com, and is not sent to https://stranger.example unless that variable is named for it.',
  );
});
