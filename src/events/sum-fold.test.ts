/** What the paths of one task sum to: whatever they do, those that pass are above those that do not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../contracts/index.ts';
import type { NewEvent } from './events.ts';
import { AttemptScorer } from './scorer.ts';
import { SumFold } from './sum-fold.ts';

const LEAVES = 4;

/** One step: what the agent did, what the page is like after it, and which leaves of the contract hold. */
interface PathStep {
  call: string;
  observes: boolean;
  error: string | undefined;
  page: number;
  holding: boolean[];
  status: number;
  progress: 'progressing' | 'stalling' | 'stuck';
}

const leaf = (holds: boolean): Evidence =>
  ({
    verdict: holds ? 'pass' : 'fail',
    passed: holds,
    assertion_kind: 'dom_text',
    details: { selector: 'p', contains: 'x', observed: null },
  }) as unknown as Evidence;
const evidenceOf = (holding: readonly boolean[]): Evidence => {
  const holds = holding.every(Boolean);
  const children = holding.map(leaf);
  const details = { evaluated: LEAVES, total: LEAVES, children, deciding_index: null };
  return { verdict: holds ? 'pass' : 'fail', passed: holds, assertion_kind: 'and', details } as unknown as Evidence;
};
const seen = (page: number, status: number, callId?: string): NewEvent<'evidence'> => ({
  type: 'evidence',
  url: 'http://a.test/',
  title: '',
  page: 'ok',
  status,
  digests: { dom: `${page}`, text: `${page}`, actionable: 'a' },
  regions: { body: `${page}` },
  counters: { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 },
  tabs: [],
  ...(callId === undefined ? {} : { callId }),
});
const judged = (
  phase: 'start' | 'step' | 'final',
  holding: readonly boolean[],
  callId?: string,
): NewEvent<'contract_eval'> => {
  const evidence = evidenceOf(holding);
  const about = callId === undefined ? {} : { callId };
  return { type: 'contract_eval', phase, verdict: evidence.verdict, evidence, ...about };
};
const NONE = Array<boolean>(LEAVES).fill(false);

/** The contributions of a path, the last look included. `final`: the leaves at the last look. */
function contributions(path: readonly PathStep[], final: readonly boolean[]): number[] {
  const scorer = new AttemptScorer({});
  scorer.onEvidence(seen(0, 200));
  scorer.onVerdict(judged('start', NONE));
  const scored = path.map(({ call, observes, error, page, holding, status, progress }, n) => {
    const callId = `c${n}`;
    const isError = error !== undefined;
    scorer.onCall({ type: 'tool_call', callId, step: n + 1, tool: call, arguments: {}, by: 'agent', observes }, true);
    scorer.onResult(
      {
        type: 'tool_result',
        callId,
        isError,
        ...(isError ? { errorKind: error } : {}),
        text: '',
        textLength: 0,
        contentTypes: [],
        durationMs: 1,
        digest: `${page}`,
      },
      true,
    );
    scorer.onProgress({ type: 'progress', callId, status: progress });
    scorer.onEvidence(seen(page, status, callId));
    return scorer.onVerdict(judged('step', holding, callId));
  });
  return [...scored, scorer.onVerdict(judged('final', final))].map((reward) => reward?.contribution ?? 0);
}
const sumOf = (path: readonly PathStep[], final: readonly boolean[]): number =>
  contributions(path, final).reduce((sum, each) => sum + each, 0);

const holding = fc.array(fc.boolean(), { minLength: LEAVES, maxLength: LEAVES });
const step: fc.Arbitrary<PathStep> = fc.record({
  call: fc.constantFrom('click', 'type', 'read', 'scroll'),
  observes: fc.boolean(),
  error: fc.option(fc.constantFrom('stale_ref', 'element_not_found', 'timeout', 'captcha', 'auth_required', 'odd'), {
    nil: undefined,
  }),
  page: fc.nat(5),
  holding,
  status: fc.constantFrom(200, 200, 200, 401, 403),
  progress: fc.constantFrom('progressing' as const, 'stalling' as const, 'stuck' as const),
});
const path = fc.array(step, { maxLength: 40 });
const unsolved = holding.filter((leaves) => !leaves.every(Boolean));
const SOLVED = Array<boolean>(LEAVES).fill(true);

it('a contract that holds at the start adds nothing there, and all of it with the first step that keeps it', () => {
  const fold = new SumFold();
  const all = Array<boolean>(LEAVES).fill(true);
  expect(fold.add(judged('start', all), undefined)).toBe(0);
  expect(fold.add(judged('step', all, 'c0'), undefined)).toBe(1);
});

describe('over any path', () => {
  it('the sum is bounded: above 0.6 and at most 1 where the contract holds at the end, otherwise above -0.4 and at most 0.4', () => {
    fc.assert(
      fc.property(path, unsolved, (steps, leaves) => {
        const passing = sumOf(steps, SOLVED);
        expect(passing).toBeGreaterThan(0.6 - 1e-6);
        expect(passing).toBeLessThanOrEqual(1 + 1e-6);
        const failing = sumOf(steps, leaves);
        expect(failing).toBeGreaterThan(-0.4 - 1e-6);
        expect(failing).toBeLessThanOrEqual(0.4 + 1e-6);
      }),
      { numRuns: 500 },
    );
  });

  it('every passing path sums higher than every failing one', () => {
    fc.assert(
      fc.property(path, path, unsolved, (one, other, leaves) => {
        expect(sumOf(one, SOLVED)).toBeGreaterThan(sumOf(other, leaves));
      }),
      { numRuns: 500 },
    );
  });

  it('what the server says of its progress adds nothing and takes nothing', () => {
    fc.assert(
      fc.property(path, (steps) => {
        const silent = steps.map((each) => ({ ...each, progress: 'progressing' as const }));
        expect(sumOf(steps, SOLVED)).toBeCloseTo(sumOf(silent, SOLVED), 5);
      }),
      { numRuns: 300 },
    );
  });

  it('a penalty more lowers the sum, and the more there are, the less each takes', () => {
    const failure = { call: 'x', observes: false, error: 'odd', page: 0, holding: NONE, status: 200 } as const;
    const failures = (n: number): PathStep[] =>
      Array.from({ length: n }, (_, i) => ({ ...failure, call: `x${i}`, progress: 'stuck' as const }));
    const sums = Array.from({ length: 30 }, (_, n) => sumOf(failures(n), NONE));
    const taken = sums.slice(1).map((sum, n) => (sums[n] ?? 0) - sum);
    expect(taken.every((each) => each > 0)).toBe(true);
    expect(taken).toEqual([...taken].sort((a, b) => b - a));
  });
});

describe('cut into more or fewer calls', () => {
  const change = (page: number, leaves: readonly boolean[]): PathStep => ({
    call: `fill ${page}`,
    observes: false,
    error: undefined,
    page,
    holding: [...leaves],
    status: 200,
    progress: 'progressing',
  });

  it('five small calls sum to what one call that does the same sums to', () => {
    const small = [1, 2, 3, 4, 5].map((page) => change(page, page === 5 ? SOLVED : NONE));
    expect(sumOf(small, SOLVED)).toBe(1);
    expect(sumOf([change(5, SOLVED)], SOLVED)).toBe(1);
  });

  it('walking through new states adds nothing', () => {
    const walk = Array.from({ length: 20 }, (_, n) => change(n + 1, NONE));
    expect(sumOf(walk, NONE)).toBe(0);
  });
});

describe('leaves', () => {
  const at = (page: number, count: number): PathStep => ({
    call: `go ${page}`,
    observes: false,
    error: undefined,
    page,
    holding: SOLVED.map((_, n) => n < count),
    status: 200,
    progress: 'progressing',
  });

  it('one that holds for a single look and is lost costs nothing; one that had stayed does', () => {
    const half = SOLVED.map((_, n) => n < 2);
    expect(contributions([at(1, 2), at(2, 0)], half)).toEqual([0.2, 0, 0]);
    const [, , lost] = contributions([at(1, 2), at(2, 2), at(3, 0)], half);
    expect(lost).toBeLessThan(0);
  });

  it('that come and go are paid once', () => {
    expect(contributions([at(1, 1), at(2, 0), at(3, 1), at(4, 2)], NONE)).toEqual([0.1, 0, 0, 0.1, 0]);
  });

  it('that hold only at the last look are paid by it, and a pass that is lost there is taken back', () => {
    expect(contributions([at(1, 3)], SOLVED)).toEqual([0.3, 0.7]);
    expect(contributions([at(1, 4)], NONE)).toEqual([1, -0.6]);
  });
});

it('a guarded action without approval forfeits the pass', () => {
  const scorer = new AttemptScorer({});
  scorer.onVerdict(judged('start', NONE));
  const call = { type: 'tool_call', callId: 'c1', step: 1, tool: 'buy', by: 'agent', observes: false } as const;
  scorer.onCall({ ...call, destructive: true, gated: false }, true);
  const result = { isError: true, errorKind: 'gate_refused', text: '', textLength: 0, contentTypes: [], digest: '' };
  scorer.onResult({ type: 'tool_result', callId: 'c1', durationMs: 1, ...result }, true);
  scorer.onEvidence(seen(0, 200, 'c1'));
  expect(scorer.onVerdict(judged('step', SOLVED, 'c1'))).toMatchObject({ score: -1 });
  expect(scorer.onVerdict(judged('final', SOLVED))?.contribution ?? 0).toBeLessThanOrEqual(0.4);
});
