/** What the reward costs: medians, printed as figures and never asserted in a test. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  appendAttempt,
  EMPTY_LEDGER,
  type PageState,
  type RewardInput,
  score,
  stateFingerprint,
} from '../src/reward/index.ts';
import { type BenchRow, medianMicros } from './measure.ts';

export async function benchReward(): Promise<BenchRow[]> {
  const inputs = steps();
  return [
    { name: 'score, typical step', value: medianMicros(() => score(inputs.typical), 5000), unit: 'µs', goal: 5 },
    {
      name: 'score, every field and 40 regions',
      value: medianMicros(() => score(inputs.full), 5000),
      unit: 'µs',
      goal: 5,
    },
    {
      name: 'score, kept after 1e6 calls',
      value: keptBytes(() => score(inputs.full)),
      unit: 'bytes a call',
      goal: 0,
    },
    {
      name: 'state fingerprint, 40 regions',
      value: medianMicros(() => stateFingerprint(inputs.page), 500),
      unit: 'µs',
    },
    {
      name: 'ledger node',
      value: medianMicros(() => appendAttempt(EMPTY_LEDGER, inputs.attempt), 500),
      unit: 'µs',
    },
  ];
}

/** Growth of the heap over many calls, between two collections. */
function keptBytes(run: () => unknown): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') return Number.NaN;
  for (let i = 0; i < 10_000; i++) run();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 1_000_000; i++) run();
  collect();
  return Math.max(0, Math.round((process.memoryUsage().heapUsed - before) / 1_000_000));
}

function steps(): {
  typical: RewardInput;
  full: RewardInput;
  page: PageState;
  attempt: Parameters<typeof appendAttempt>[1];
} {
  const regions = (salt: string) =>
    Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`main/section[${i}]`, i === 39 ? salt : 'd41d8cd9']));
  const page = (salt: string): PageState => ({
    url: 'http://fixtures.waymark.test/shop/cart?step=2',
    domDigest: `dom-${salt}`,
    textDigest: `text-${salt}`,
    refsDigest: `refs-${salt}`,
    screenshotHash: salt,
    dialogs: 0,
    network: { requests: 12, failed: 0, writes: 1 },
    status: 200,
    redirected: true,
    features: { passwordForm: false, challengeFrame: false },
  });
  const typical: RewardInput = {
    tool: { name: 'interact', observes: false, isError: false, resultDigest: 'r2' },
    previous: page('a'),
    current: page('b'),
    contract: { verdict: 'fail', holding: 1, heldLeavesBefore: 1, heldBefore: false },
    recent: { sameCall: 0, sameFailure: 0, sameState: 0 },
  };
  const full: RewardInput = {
    ...typical,
    tool: { name: 'interact', observes: false, isError: true, errorKind: 'stale_ref', resultDigest: 'r2' },
    previous: { ...page('a'), regions: regions('a') },
    current: { ...page('b'), regions: regions('b') },
    recent: { sameCall: 2, sameFailure: 2, sameState: 2, lastFailureKind: 'stale_ref', lastResultDigest: 'r1' },
    progress: 'stalling',
    target: { url: 'http://fixtures.waymark.test/shop/done', expectedItems: 3 },
    destructive: true,
    gated: true,
    volatile: { pages: { 'http://fixtures.waymark.test/shop/cart': { 'main/section[39]': true } } },
  };
  return {
    typical,
    full,
    page: { ...page('a'), regions: regions('a') },
    attempt: {
      tool: 'interact',
      arguments: { action: 'type', ref: 'e12', text: 'hunter2' },
      status: 'error',
      failureKind: 'stale_ref',
    },
  };
}
