import { describe, expect, it } from 'vitest';
import { score } from './score.ts';
import type { PageState, RewardInput } from './types.ts';
import { learnVolatile, NO_VOLATILE_REGIONS } from './volatile-regions.ts';

const HOME: PageState = { url: 'http://shop.test/', domDigest: 'd1', textDigest: 't1', refsDigest: 'r1' };
const CART: PageState = { url: 'http://shop.test/cart', domDigest: 'd2', textDigest: 't2', refsDigest: 'r2' };
const click = { name: 'interact', observes: false, isError: false } as const;
const read = { name: 'read_page', observes: true, isError: false } as const;
const failed = (errorKind?: string) => ({ name: 'interact', observes: false, isError: true, errorKind });

/** Every row of the table of signals: tier, classification, deciding signal. */
const ROWS: [string, RewardInput, string, string, string][] = [
  [
    'contract passed',
    { tool: click, contract: { verdict: 'pass' } },
    'strong_positive',
    'contract_pass',
    'contract_pass',
  ],
  [
    'target URL reached',
    { tool: click, previous: HOME, current: CART, target: { url: 'http://shop.test/cart/' } },
    'strong_positive',
    'goal_state',
    'goal_state',
  ],
  ['target DOM reached', { tool: click, target: { domReached: true } }, 'strong_positive', 'goal_state', 'goal_state'],
  [
    'target network state reached',
    { tool: click, target: { networkReached: true } },
    'strong_positive',
    'goal_state',
    'goal_state',
  ],
  [
    'expected data extracted',
    { tool: { ...read, itemsExtracted: 5 }, target: { expectedItems: 5 } },
    'strong_positive',
    'data_extracted',
    'data_extracted',
  ],
  ['state changed', { tool: click, previous: HOME, current: CART }, 'weak_positive', 'progress', 'state_changed'],
  [
    'fresh refs after stale ref',
    { tool: read, previous: HOME, current: { ...HOME, refsDigest: 'r9' }, recent: { lastFailureKind: 'stale_ref' } },
    'weak_positive',
    'progress',
    'fresh_refs',
  ],
  [
    'more leaves hold',
    { tool: click, contract: { verdict: 'fail', holding: 2, heldLeavesBefore: 1 } },
    'weak_positive',
    'progress',
    'leaves_gained',
  ],
  [
    'some data',
    { tool: { ...read, itemsExtracted: 2 }, target: { expectedItems: 5 } },
    'weak_positive',
    'progress',
    'partial_data',
  ],
  [
    'canvas changed',
    { tool: click, previous: { ...HOME, screenshotHash: 'a' }, current: { ...HOME, screenshotHash: 'b' } },
    'weak_positive',
    'progress',
    'visual_change',
  ],
  [
    'a write without a visible change',
    { tool: click, previous: { ...HOME, network: { writes: 0 } }, current: { ...HOME, network: { writes: 1 } } },
    'weak_positive',
    'progress',
    'network_write',
  ],
  [
    'first observation',
    { tool: { ...read, resultDigest: 'x' }, previous: HOME, current: HOME },
    'neutral',
    'observation',
    'new_information',
  ],
  [
    'observation again without news',
    { tool: read, previous: HOME, current: HOME, recent: { sameCall: 1 } },
    'negative',
    'no_progress',
    'repeated_observation',
  ],
  ['action without effect', { tool: click, previous: HOME, current: HOME }, 'negative', 'no_progress', 'no_effect'],
  ['stalling', { tool: read, progress: 'stalling' }, 'negative', 'no_progress', 'stalling'],
  ['stuck', { tool: read, progress: 'stuck' }, 'negative', 'no_progress', 'stuck'],
  [
    'fewer leaves hold',
    { tool: click, previous: HOME, current: CART, contract: { verdict: 'fail', holding: 0, heldLeavesBefore: 1 } },
    'negative',
    'no_progress',
    'leaves_lost',
  ],
  [
    'back in a state left before',
    { tool: click, previous: CART, current: HOME, recent: { sameState: 1 } },
    'negative',
    'no_progress',
    'revisited_state',
  ],
  ['stale ref', { tool: failed('stale_ref') }, 'negative', 'failure', 'stale_ref'],
  ['element not found', { tool: failed('element_not_found') }, 'negative', 'failure', 'element_not_found'],
  ['timeout', { tool: failed('timeout') }, 'negative', 'failure', 'timeout'],
  ['unknown error', { tool: failed() }, 'negative', 'failure', 'tool_failure'],
  [
    'same failed tool and ref again',
    { tool: failed('stale_ref'), recent: { sameFailure: 1 } },
    'negative',
    'failure',
    'repeated_failure',
  ],
  [
    'contract fails after it held',
    { tool: read, contract: { verdict: 'fail', heldBefore: true } },
    'negative',
    'failure',
    'contract_regressed',
  ],
  [
    'auth redirect',
    { tool: click, previous: HOME, current: { url: 'http://id.test/login?next=%2F', redirected: true } },
    'negative',
    'blocked',
    'auth_wall',
  ],
  [
    'password form at a sign-in address',
    { tool: click, current: { url: 'http://shop.test/signin', features: { passwordForm: true } } },
    'negative',
    'blocked',
    'auth_wall',
  ],
  ['status 401', { tool: click, current: { ...HOME, status: 401 } }, 'negative', 'blocked', 'auth_wall'],
  ['status 403', { tool: click, current: { ...HOME, status: 403 } }, 'negative', 'blocked', 'blocked_status'],
  ['status 429', { tool: click, current: { ...HOME, status: 429 } }, 'negative', 'blocked', 'blocked_status'],
  [
    'CAPTCHA frame',
    { tool: click, previous: HOME, current: { ...CART, features: { challengeFrame: true } } },
    'negative',
    'blocked',
    'challenge_page',
  ],
  ['tool says auth required', { tool: failed('auth_required') }, 'negative', 'blocked', 'auth_wall'],
  ['tool says captcha', { tool: failed('captcha') }, 'negative', 'blocked', 'challenge_page'],
  ['tool says blocked', { tool: failed('blocked_page') }, 'negative', 'blocked', 'blocked_status'],
  [
    'a guarded action that was not allowed',
    { tool: click, destructive: true, gated: false },
    'hard_negative',
    'destructive_blocked',
    'gate_breach',
  ],
  [
    'the harness refused the guarded action',
    { tool: failed('gate_refused') },
    'hard_negative',
    'destructive_blocked',
    'gate_breach',
  ],
];

describe('the table of signals', () => {
  it.each(ROWS)('%s', (_name, input, tier, classification, signal) => {
    const reward = score(input);
    expect({ tier: reward.tier, classification: reward.classification }).toEqual({ tier, classification });
    expect(reward.reasons.map((reason) => reason.signal)).toContain(signal);
    expect(reward.reasons.every((reason) => reason.evidence.length > 0)).toBe(true);
  });
});

describe('rules', () => {
  it('a passing contract outranks every heuristic, and bad ones do not bring it below them', () => {
    const best = score({
      tool: { ...click, itemsExtracted: 9 },
      previous: HOME,
      current: CART,
      target: { url: CART.url, domReached: true, expectedItems: 1 },
      contract: { verdict: 'fail', holding: 9, heldLeavesBefore: 0 },
    });
    const worst = score({
      tool: failed('timeout'),
      current: { status: 403 },
      contract: { verdict: 'pass' },
      recent: { sameCall: 9, sameFailure: 9, sameState: 9 },
      progress: 'stuck',
    });
    expect(best.score).toBe(0.8);
    expect(worst.score).toBe(0.9);
    expect(worst.classification).toBe('contract_pass');
  });

  it('an allowed guarded action scores like any other action', () => {
    expect(score({ tool: click, previous: HOME, current: CART, destructive: true, gated: true }).classification).toBe(
      'progress',
    );
  });

  it('a guarded action that was not allowed is not a success even if the contract passes', () => {
    expect(score({ tool: click, destructive: true, contract: { verdict: 'pass' } }).score).toBe(-1);
  });

  it('a contract that fails after it held scores lower than one that never did', () => {
    const input: RewardInput = { tool: click, previous: HOME, current: CART };
    const never = score({ ...input, contract: { verdict: 'fail', heldBefore: false } });
    const lost = score({ ...input, contract: { verdict: 'fail', heldBefore: true } });
    expect(lost.score).toBeLessThan(never.score);
  });

  it('an inconclusive contract is neither a pass nor a loss', () => {
    const reward = score({ tool: read, contract: { verdict: 'inconclusive', heldBefore: true } });
    expect(reward.score).toBe(0);
  });

  it('repeating a call is not penalized while it brings new information', () => {
    const next = { tool: click, previous: HOME, current: CART };
    expect(score({ ...next, recent: { sameCall: 7 } }).score).toBe(score({ ...next, recent: { sameCall: 0 } }).score);
  });

  it('penalties for repeats grow faster each time, down to a lowest value', () => {
    const at = (sameFailure: number) => score({ tool: failed('stale_ref'), recent: { sameFailure } }).score;
    expect([0, 1, 2, 3, 9].map(at)).toEqual([-0.3, -0.4, -0.6, -0.8, -0.8]);
    const loop = (sameCall: number) => score({ tool: read, previous: HOME, current: HOME, recent: { sameCall } }).score;
    expect([0, 1, 2, 3, 9].map(loop)).toEqual([0, -0.15, -0.25, -0.4, -0.4]);
  });

  it('a fresh read after a stale ref scores higher than the failed action again', () => {
    const again = score({ tool: failed('stale_ref'), recent: { sameFailure: 1, lastFailureKind: 'stale_ref' } });
    const fresh = score({
      tool: read,
      previous: HOME,
      current: { ...HOME, refsDigest: 'r2' },
      recent: { lastFailureKind: 'stale_ref' },
    });
    expect(fresh.score).toBeGreaterThan(again.score);
    expect(fresh.reasons[0]?.evidence).toBe('current.refsDigest, recent.lastFailureKind=stale_ref');
  });

  it('a change that leads to a blocking page earns nothing', () => {
    expect(score({ tool: click, previous: HOME, current: { ...CART, status: 403 } }).score).toBe(-0.5);
  });

  it('weak signals alone never make a strong score', () => {
    const contract = { verdict: 'fail', holding: 20, heldLeavesBefore: 0 } as const;
    expect(score({ tool: click, previous: HOME, current: CART, contract })).toMatchObject({
      score: 0.45,
      tier: 'weak_positive',
      classification: 'progress',
    });
  });

  it('observing a state again is not a return to it, and old failures do not count against a success', () => {
    expect(score({ tool: read, previous: HOME, current: HOME, recent: { sameState: 3 } }).score).toBe(0);
    expect(score({ tool: click, previous: HOME, current: CART, recent: { sameFailure: 3 } }).score).toBe(0.3);
  });

  it('a different result of the same call on the same page is noise; if the page is unknown, it is new information', () => {
    const look = { tool: { ...read, resultDigest: 'y' }, recent: { sameCall: 1, lastResultDigest: 'x' } };
    expect(score({ ...look, previous: HOME, current: HOME }).classification).toBe('no_progress');
    expect(score(look).classification).toBe('observation');
  });

  it('arriving at the target is rewarded once', () => {
    expect(score({ tool: read, previous: CART, current: CART, target: { url: CART.url } }).score).toBe(0);
    expect(score({ tool: read, target: { domReached: true, alreadyReached: true } }).score).toBe(0);
  });

  it('the same result again is not new data', () => {
    const input: RewardInput = {
      tool: { ...read, itemsExtracted: 5, resultDigest: 'x' },
      target: { expectedItems: 5 },
    };
    expect(score({ ...input, recent: { lastResultDigest: 'y' } }).classification).toBe('data_extracted');
    expect(score({ ...input, recent: { lastResultDigest: 'x' } }).classification).toBe('observation');
  });

  it("a server's own report of progress earns nothing", () => {
    expect(score({ tool: read, progress: 'progressing' }).score).toBe(0);
  });

  it('a sign-in form does not block a task that signs in, and neither does a password form elsewhere', () => {
    const page: PageState = { url: 'http://shop.test/login', features: { passwordForm: true } };
    expect(score({ tool: read, current: page, target: { expectsLogin: true } }).classification).toBe('observation');
    expect(score({ tool: read, current: { ...page, url: 'http://shop.test/sign-up' } }).classification).toBe(
      'observation',
    );
    expect(
      score({ tool: read, current: { url: 'http://shop.test/blog/login-tips?auth=login#login', redirected: true } })
        .classification,
    ).toBe('observation');
  });

  it('a running clock is neither progress nor new information', () => {
    const at = (clock: string): PageState => ({ url: 'http://shop.test/', regions: { main: 'm', clock } });
    const volatile = learnVolatile(NO_VOLATILE_REGIONS, at('1'), at('2'));
    const input: RewardInput = { tool: click, previous: at('2'), current: at('3') };
    expect(score(input).classification).toBe('progress');
    expect(score({ ...input, volatile }).classification).toBe('no_progress');
    expect(score({ ...input, tool: read, volatile, recent: { sameCall: 1 } }).classification).toBe('no_progress');
    expect(
      score({ ...input, current: { ...at('3'), regions: { main: 'new', clock: '3' } }, volatile }).classification,
    ).toBe('progress');
  });
});

describe('volatile digests of the whole page', () => {
  it('a screenshot or a counter of writes that changes without an action shows nothing', () => {
    const at = (n: number): PageState => ({ ...HOME, screenshotHash: `s${n}`, network: { writes: n } });
    const volatile = learnVolatile(NO_VOLATILE_REGIONS, at(1), at(2));
    const input: RewardInput = { tool: click, previous: at(2), current: at(3) };
    expect(score(input).classification).toBe('progress');
    expect(score({ ...input, volatile }).classification).toBe('no_progress');
  });
});

describe('missing evidence', () => {
  it('the name of the tool alone is neutral, with no confidence', () => {
    expect(score({ tool: { name: 'anything' } })).toEqual({
      score: 0,
      classification: 'observation',
      tier: 'neutral',
      reasons: [{ signal: 'nothing_known', weight: 0, evidence: 'tool.name' }],
      confidence: 0,
    });
  });

  it('full evidence is full confidence', () => {
    const full: RewardInput = { tool: click, previous: HOME, current: CART, contract: { verdict: 'fail' }, recent: {} };
    expect(score(full).confidence).toBe(1);
  });

  it('a pass or a refused guarded action decides alone, with high confidence', () => {
    expect(score({ tool: { name: 'x' }, contract: { verdict: 'pass' } }).confidence).toBe(0.9);
    expect(score({ tool: { name: 'x' }, destructive: true }).confidence).toBe(0.9);
  });

  it('each missing piece lowers confidence', () => {
    const full: RewardInput = { tool: click, previous: HOME, current: CART, contract: { verdict: 'fail' }, recent: {} };
    for (const key of ['previous', 'current', 'contract', 'recent'] as const) {
      expect(score({ ...full, [key]: undefined }).confidence).toBeLessThan(1);
    }
    expect(score({ ...full, tool: { name: 'x', observes: false } }).confidence).toBeLessThan(1);
    expect(score({ ...full, tool: { name: 'x', isError: false } }).confidence).toBeLessThan(1);
    expect(score({ ...full, contract: { verdict: 'inconclusive' } }).confidence).toBeLessThan(1);
    expect(score({ ...full, current: { url: CART.url } }).confidence).toBeLessThan(1);
  });
});
