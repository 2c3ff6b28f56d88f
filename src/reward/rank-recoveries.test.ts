import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrajectoryNode } from './ledger.ts';
import { type RecoveryCandidate, rankRecoveries } from './rank-recoveries.ts';

const stale: TrajectoryNode = {
  id: 'n9',
  parent: null,
  tool: 'interact',
  arguments: 'ref=e3',
  status: 'error',
  failure: 'stale_ref:interact:35f8b844',
};
const blockedNode: TrajectoryNode = {
  id: 'n9',
  parent: null,
  tool: 'navigate',
  arguments: '',
  status: 'no_progress',
  reward: { score: -0.5, classification: 'blocked' },
};
const read: RecoveryCandidate = { tool: 'read_page', observes: true };
const again: RecoveryCandidate = { tool: 'interact', arguments: 'ref=e3', observes: false };
const find: RecoveryCandidate = { tool: 'find', observes: true };
const tools = (candidates: RecoveryCandidate[], history: TrajectoryNode[]) =>
  rankRecoveries(candidates, history).map((r) => r.candidate.tool);

describe('rankRecoveries', () => {
  it('ranks a fresh read above repeating the failed call, with a reason', () => {
    const ranked = rankRecoveries([again, read], [stale]);
    expect(ranked.map((r) => r.candidate)).toEqual([read, again]);
    expect(ranked[0]?.reasons).toEqual(['only observes: finds out what is there now', 'fresh refs answer stale_ref']);
    expect(ranked[1]?.reasons).toEqual(['the same call failed 1 time just now']);
  });

  it('ranks what the goal names above the rest, as far as the goal names it', () => {
    const half: RecoveryCandidate = { tool: 'half', goalFit: 0.5 };
    const whole: RecoveryCandidate = { tool: 'whole', goalFit: 1 };
    const none: RecoveryCandidate = { tool: 'none' };
    expect(tools([none, half, whole], [stale])).toEqual(['whole', 'half', 'none']);
    expect(rankRecoveries([whole], [stale])[0]?.reasons).toEqual(['the goal names its element']);
  });

  it('ranks another action above the one that has just failed, lower with each failure', () => {
    const other: RecoveryCandidate = { tool: 'zoom', observes: false };
    expect(tools([again, other], [stale])).toEqual(['zoom', 'interact']);
    const scoreAfter = (n: number) =>
      rankRecoveries(
        [again],
        Array.from({ length: n }, () => ({ ...stale, tool: 'interact' })),
      )[0]?.score ?? 1;
    expect(scoreAfter(2)).toBeLessThan(scoreAfter(1) / 1.9);
  });

  it('prefers what recovered from such failures before', () => {
    const past: TrajectoryNode[] = [
      { ...stale, id: 'n1' },
      { ...stale, id: 'n2', status: 'recovered', recoveryTool: 'find' },
    ];
    expect(tools([read, find], [stale])).toEqual(['find', 'read_page']);
    expect(
      tools([read, { ...find, tool: 'zoom' }], [...past.map((n) => ({ ...n, recoveryTool: 'zoom' })), stale]),
    ).toEqual(['zoom', 'read_page']);
    expect(rankRecoveries([find], [...past, stale])[0]?.reasons[0]).toBe('recovered 1 of 1 earlier stale_ref failures');
  });

  it('counts a recovery that failed against it', () => {
    const tried: TrajectoryNode = {
      id: 'n2',
      parent: 'n1',
      tool: 'find',
      arguments: 'q=x',
      status: 'error',
      failure: 'timeout:find:0',
    };
    expect(tools([find, read], [{ ...stale, id: 'n1' }, tried, stale])).toEqual(['read_page', 'find']);
  });

  it('ranks candidates that only observe first on a blocking page, however well the others did before', () => {
    const loved: TrajectoryNode[] = Array.from({ length: 20 }, (_, i) => ({
      ...stale,
      id: `n${i}`,
      status: 'recovered',
      recoveryTool: 'interact',
    }));
    const blockedStale: TrajectoryNode = { ...stale, reward: { score: -0.8, classification: 'blocked' } };
    const failedRead: TrajectoryNode = { ...stale, id: 'x', tool: 'read_page', arguments: '' };
    expect(tools([{ tool: 'interact' }, read], [...loved, failedRead, failedRead, blockedStale])).toEqual([
      'read_page',
      'interact',
    ]);
    expect(rankRecoveries([again, read], [blockedNode]).map((r) => r.reasons[0])).toEqual([
      'only observes, and the page is blocking',
      'acts on a blocking page',
    ]);
  });

  it('ranks guarded actions that are not allowed last', () => {
    const remove: RecoveryCandidate = { tool: 'a_delete', destructive: true, observes: true };
    expect(tools([remove, again, read], [blockedNode])).toEqual(['read_page', 'interact', 'a_delete']);
    expect(tools([{ ...remove, gated: true }, again], [blockedNode])).toEqual(['a_delete', 'interact']);
  });

  it('returns every candidate once, explained, in an order that does not depend on the input order', () => {
    const candidate = fc.record(
      {
        tool: fc.constantFrom('read_page', 'find', 'interact', 'navigate'),
        arguments: fc.constantFrom('', 'ref=e3'),
        observes: fc.boolean(),
        destructive: fc.boolean(),
        gated: fc.boolean(),
      },
      { requiredKeys: ['tool'] },
    );
    const node = fc.record(
      {
        id: fc.constant('n'),
        parent: fc.constant(null),
        tool: fc.constantFrom('read_page', 'find', 'interact'),
        arguments: fc.constantFrom('', 'ref=e3'),
        status: fc.constantFrom('success' as const, 'error' as const, 'recovered' as const),
        failure: fc.constantFrom('stale_ref:interact:1', 'timeout:find:2'),
        recoveryTool: fc.constantFrom('find', 'read_page'),
        reward: fc.constantFrom(
          { score: -0.5, classification: 'blocked' as const },
          { score: 0.3, classification: 'progress' as const },
        ),
      },
      { requiredKeys: ['id', 'parent', 'tool', 'arguments', 'status'] },
    );
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 6 }), fc.array(node, { maxLength: 6 }), (candidates, history) => {
        const ranked = rankRecoveries(candidates, history);
        expect(rankRecoveries([...candidates].reverse(), history)).toEqual(ranked);
        expect(ranked.length).toBe(candidates.length);
        expect(new Set(ranked.map((r) => r.candidate))).toEqual(new Set(candidates));
        for (const { score, reasons } of ranked) {
          expect(score >= 0 && score <= 1).toBe(true);
          expect(reasons.length).toBeGreaterThan(0);
        }
        if (history.at(-1)?.reward?.classification !== 'blocked') return;
        const safe = ranked
          .filter((r) => !(r.candidate.destructive && !r.candidate.gated))
          .map((r) => r.candidate.observes === true);
        expect(safe).toEqual([...safe].sort((a, b) => Number(b) - Number(a)));
      }),
      { numRuns: 1000 },
    );
  });
});
