import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { score } from './score.ts';
import type { RewardInput, RewardTier } from './types.ts';

const digest = fc.constantFrom('a', 'b', 'c');
const count = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom(Number.NaN, -3, Number.POSITIVE_INFINITY, 1e300),
);
const partial = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(shape, { requiredKeys: [] });
const page = partial({
  url: fc.constantFrom('http://a.test/', 'http://a.test/login', 'http://a.test/b#c', 'not a url', ''),
  domDigest: digest,
  textDigest: digest,
  refsDigest: digest,
  screenshotHash: digest,
  regions: fc.dictionary(fc.constantFrom('main', 'clock', '__proto__', 'constructor'), digest),
  dialogs: count,
  status: fc.constantFrom(200, 401, 403, 404, 429, 500),
  redirected: fc.boolean(),
  features: partial({ passwordForm: fc.boolean(), challengeFrame: fc.boolean() }),
  network: partial({ writes: count }),
});
const kind = fc.constantFrom(
  'stale_ref',
  'element_not_found',
  'timeout',
  'captcha',
  'auth_required',
  'gate_refused',
  'odd',
);
const tool = fc.record(
  {
    name: fc.string(),
    observes: fc.boolean(),
    isError: fc.boolean(),
    errorKind: kind,
    itemsExtracted: count,
    resultDigest: digest,
  },
  { requiredKeys: ['name'] },
);
const input: fc.Arbitrary<RewardInput> = fc.record(
  {
    tool,
    previous: page,
    current: page,
    progress: fc.constantFrom('progressing' as const, 'stalling' as const, 'stuck' as const),
    contract: fc.record(
      {
        verdict: fc.constantFrom('pass' as const, 'fail' as const, 'inconclusive' as const),
        holding: count,
        heldLeavesBefore: count,
        heldBefore: fc.boolean(),
      },
      { requiredKeys: ['verdict'] },
    ),
    recent: partial({
      sameCall: count,
      sameFailure: count,
      sameState: count,
      lastFailureKind: kind,
      lastResultDigest: digest,
    }),
    target: partial({
      url: fc.constantFrom('http://a.test/', 'http://a.test/b'),
      domReached: fc.boolean(),
      networkReached: fc.boolean(),
      alreadyReached: fc.boolean(),
      expectedItems: count,
      expectsLogin: fc.boolean(),
    }),
    destructive: fc.boolean(),
    gated: fc.boolean(),
    volatile: fc.constant({ pages: { 'http://a.test/': { clock: true as const } } }),
  },
  { requiredKeys: ['tool'] },
);
const runs = { numRuns: 3000 };

const BANDS: Record<RewardTier, (score: number) => boolean> = {
  strong_positive: (s) => s >= 0.5 && s <= 1,
  weak_positive: (s) => s > 0 && s < 0.5,
  neutral: (s) => s === 0,
  negative: (s) => s < 0 && s >= -0.9,
  hard_negative: (s) => s === -1,
};

describe('for any evidence', () => {
  it('score and confidence are bounded, the tier is the band of the score, reasons are never empty', () => {
    fc.assert(
      fc.property(input, (given) => {
        const reward = score(given);
        expect(BANDS[reward.tier](reward.score)).toBe(true);
        expect(reward.confidence).toBeGreaterThanOrEqual(0);
        expect(reward.confidence).toBeLessThanOrEqual(1);
        expect(reward.reasons.length).toBeGreaterThan(0);
      }),
      runs,
    );
  });

  it('the same input gives the same output, and the input is left as it was', () => {
    fc.assert(
      fc.property(input, (given) => {
        const before = structuredClone(given);
        expect(score(given)).toEqual(score(before));
        expect(given).toEqual(before);
      }),
      runs,
    );
  });

  it('the order of fields does not matter', () => {
    const turned = <T extends object>(value: T): T => Object.fromEntries(Object.entries(value).reverse()) as T;
    fc.assert(
      fc.property(input, (given) => {
        const other = turned(given);
        if (given.current?.regions)
          other.current = { ...turned(given.current), regions: turned(given.current.regions) };
        expect(score(other)).toEqual(score(given));
      }),
      runs,
    );
  });

  it('one more repeat never raises the score', () => {
    const counter = fc.constantFrom('sameCall' as const, 'sameFailure' as const, 'sameState' as const);
    fc.assert(
      fc.property(input, counter, fc.nat(12), (given, name, n) => {
        const at = (times: number) => score({ ...given, recent: { ...given.recent, [name]: times } }).score;
        expect(at(n + 1)).toBeLessThanOrEqual(at(n));
      }),
      runs,
    );
  });

  it('a passing contract scores above the same step without it, unless a guarded action was refused', () => {
    fc.assert(
      fc.property(input, (given) => {
        const pass = score({ ...given, contract: { ...given.contract, verdict: 'pass' } });
        const fail = score({ ...given, contract: { ...given.contract, verdict: 'fail' } });
        if (pass.tier !== 'hard_negative') expect(pass.score).toBeGreaterThan(fail.score);
        else expect(fail.tier).toBe('hard_negative');
      }),
      runs,
    );
  });

  it('a contract that no longer holds lowers the score, down to the lowest bound', () => {
    fc.assert(
      fc.property(input, (given) => {
        const at = (heldBefore: boolean) =>
          score({ ...given, contract: { ...given.contract, verdict: 'fail', heldBefore } }).score;
        if (at(false) > -0.9) expect(at(true)).toBeLessThan(at(false));
        else expect(at(true)).toBe(at(false));
      }),
      runs,
    );
  });

  it('removing evidence never raises confidence', () => {
    const field = fc.constantFrom(
      'previous' as const,
      'current' as const,
      'contract' as const,
      'recent' as const,
      'progress' as const,
    );
    fc.assert(
      fc.property(input, field, (given, name) => {
        expect(score({ ...given, [name]: undefined }).confidence).toBeLessThanOrEqual(score(given).confidence);
      }),
      runs,
    );
  });
});

describe('scary words', () => {
  const words = fc.constantFrom(
    'timeout',
    'captcha',
    'Access Denied',
    '403 Forbidden',
    'verify you are human',
    'stale_ref',
    'login',
    'element_not_found',
  );
  it('in a page, a result, a tool name or an unknown error kind change nothing', () => {
    fc.assert(
      fc.property(input, words, (given, word) => {
        // The same structure twice: every free text carries a plain word in one and a scary one in the other.
        const dress = (text: string): RewardInput => {
          const dressed = (p: RewardInput['current']) =>
            p && {
              ...p,
              url: p.url && `${p.url}?q=${text.replaceAll(' ', '+')}`,
              textDigest: p.textDigest && `${text} ${p.textDigest}`,
              domDigest: p.domDigest && `${text} ${p.domDigest}`,
              regions:
                p.regions &&
                Object.fromEntries(Object.entries(p.regions).map(([k, v]) => [`${text}/${k}`, `${text} ${v}`])),
            };
          return {
            ...given,
            volatile: undefined,
            tool: {
              ...given.tool,
              name: `${text} tool`,
              resultDigest: given.tool.resultDigest && `${text} ${given.tool.resultDigest}`,
              errorKind: given.tool.errorKind === 'odd' ? `page says ${text}` : given.tool.errorKind,
            },
            previous: dressed(given.previous),
            current: dressed(given.current),
          };
        };
        expect(score(dress(word))).toEqual(score(dress('kittens')));
      }),
      runs,
    );
  });
});
