import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText, summarizeArguments } from './redact.ts';

const alnum = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const run = (min: number, max = min + 30) => fc.string({ unit: alnum, minLength: min, maxLength: max });
const separator = fc.constantFrom('', '-', '_', ' ');

describe('by shape', () => {
  const secrets: Record<string, fc.Arbitrary<string>> = {
    jwt: fc.tuple(run(12), run(12), run(12)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
    bearer: run(8).map((s) => `Bearer ${s}`),
    basic: run(8).map((s) => `Basic ${s}==`),
    'provider token': fc
      .tuple(fc.constantFrom('sk-', 'ghp_', 'github_pat_', 'glpat-', 'xoxb-', 'AKIA', 'AIza', 'npm_', 'hf_'), run(16))
      .map((p) => p.join('')),
    pem: run(40).map((s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`),
    email: fc.tuple(run(3, 10), run(3, 10)).map(([a, b]) => `${a}@${b}.example`),
    card: fc.constantFrom('4111111111111111', '4111 1111 1111 1111', '5500-0000-0000-0004', '378282246310005'),
    'user in a URL': run(6).map((s) => `https://user:${s}@host.test/`),
    'hex session id': fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 }),
  };
  /** The secret part, which must not appear in the output. */
  const core = (secret: string) =>
    secret
      .replace(/^(Bearer |Basic |-----BEGIN[^\n]*\n|https:\/\/user:)/, '')
      .replace(/(\n-----END.*|@host\.test\/)$/s, '');

  it.each(Object.keys(secrets))('%s never survives, wherever it stands', (name) => {
    const secret = secrets[name] ?? fc.constant('');
    const around = fc.constantFrom('', ' ', 'see ', '"', '(');
    fc.assert(
      fc.property(secret, around, fc.constantFrom('', ' ', ')', '"', ' end'), (value, before, after) => {
        const placed = { url: `${before}${value}${after}`, list: [{ deep: `${before}${value}` }], [`${value} `]: 1 };
        expect(summarizeArguments(placed)).not.toContain(core(value));
      }),
      { numRuns: 300 },
    );
  });
});

describe('by name', () => {
  const names = fc.constantFrom(
    'password',
    'passwd',
    'secret',
    'client secret',
    'access token',
    'api key',
    'authorization',
    'set cookie',
    'session id',
    'credential',
    'card number',
    'cvv',
    'otp',
    'csrf token',
    'private key',
  );
  const spelled = fc.tuple(names, separator, fc.boolean()).map(([name, sign, upper]) => {
    const joined = name.replaceAll(' ', sign);
    return upper ? joined.toUpperCase() : joined;
  });
  // Letters that no label has, so that `[redacted]` is never mistaken for the secret.
  const value = fc.string({ unit: fc.constantFrom(...'QZXWJ579!'), minLength: 3, maxLength: 40 });

  it('the value of a secret field never survives, at any depth', () => {
    fc.assert(
      fc.property(spelled, value, (name, secret) => {
        expect(summarizeArguments({ [name]: secret })).not.toContain(secret);
        expect(summarizeArguments({ list: [{ in: { [name]: secret } }] })).not.toContain(secret);
        expect(summarizeArguments({ [name]: { nested: secret } })).not.toContain(secret);
      }),
    );
  });

  it('nor does it in text, URLs, JSON or cookies', () => {
    fc.assert(
      fc.property(spelled, value, (name, secret) => {
        const key = name.replaceAll(' ', '_');
        for (const text of [
          `${key}=${secret}`,
          `https://a.test/?x=1&${key}=${secret}&y=2`,
          `{"${key}": "${secret}"}`,
          `a:${key}=${secret}`,
          `to%3F${key}%3D${secret}`,
        ]) {
          expect(redactText(text)).not.toContain(secret);
        }
      }),
    );
  });

  it('typed text and single keys are shown by their size alone', () => {
    expect(
      summarizeArguments({ action: 'type', ref: 'e4', text: 'hunter2', fields: [{ ref: 'e1', value: 'x' }] }),
    ).toBe('action=type ref=e4 text=[7 characters] fields=[1 items]');
    expect(summarizeArguments({ key: 'h' })).toBe('key=[1 characters]');
    expect(summarizeArguments({ key: 'Control+Enter' })).toBe('key=Control+Enter');
  });
});

describe('by value', () => {
  it('a known secret never survives, plain or encoded', () => {
    const value = fc
      .string({ minLength: 4, maxLength: 20 })
      .filter((s) => !'[secret]=#q url{}'.includes(s) && s.trim() !== '');
    fc.assert(
      fc.property(value, (secret) => {
        const args = { q: `x${secret}y`, url: `http://a.test/#q=${encodeURIComponent(secret)}` };
        const shown = summarizeArguments(args, { secrets: [secret] });
        expect(shown).not.toContain(`x${secret}y`);
        if (encodeURIComponent(secret) !== secret) expect(shown).not.toContain(encodeURIComponent(secret));
      }),
    );
  });
});

describe('what stays', () => {
  it.each([
    'https://shop.test/products/12345/details/blue-mug?page=2',
    'list-of-all-blog-articles-about-redaction',
    'e12',
    'author=Ada',
    'button.primary[data-test=submit]',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('values, fields, depth and length are bounded', () => {
    expect(redactText('ab '.repeat(100)).length).toBe(81);
    expect(redactText('a b'.repeat(10_000))).toBe('[30000 characters]');
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i]));
    expect(summarizeArguments(wide)).toMatch(/ f15=15 \+4 more$/);
    expect(summarizeArguments({ a: { b: { c: { d: 1 } } } })).toBe('a={b={c={object}}}');
  });

  it('hostile text takes linear time', () => {
    for (const text of [
      '://'.repeat(2700),
      'a@'.repeat(4000),
      'eyJ.'.repeat(2000),
      'cookie '.repeat(1100),
      '-----BEGIN A-----'.repeat(480),
      'x='.repeat(4000),
      '1 '.repeat(4000),
    ]) {
      // A guard against quadratic time, measured in CPU time of this process: the slowest of these takes a few milliseconds.
      const before = process.cpuUsage();
      redactText(text);
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
    }
  });
});
