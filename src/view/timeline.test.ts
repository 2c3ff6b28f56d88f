import { describe, expect, it } from 'vitest';
import { answered, called, delegated, madeJournal, reportedBack, stopped } from '../../test/support/made-journal.ts';
import { episodeResult, type JournalEvent } from '../events/index.ts';
import { claimText, costText, tokenText, usedCost } from './amounts.ts';
import { HTML_LIMITS } from './limits.ts';
import { timelineOf } from './timeline.ts';

const turn = (phase: 'start' | 'end', executorId?: string) => ({
  type: 'turn' as const,
  phase,
  turn: 1,
  ...(executorId === undefined ? {} : { executorId }),
});
const timeline = (events: readonly JournalEvent[]) =>
  timelineOf(events, episodeResult(events, { artifacts: { eventsJsonl: 'e', reportJson: 'r' } }));

describe('timeline', () => {
  it('has a row for each lane, with its thinking, its calls and the delegations to it', () => {
    const events = madeJournal([
      called('c0', 0, undefined, { by: 'harness', tool: 'navigate' }),
      answered('c0'),
      turn('start'),
      turn('end'),
      delegated('left'),
      turn('start', 'left'),
      called('c1', 1, 'right'),
      turn('end', 'left'),
      answered('c1', 'right', { isError: true }),
      called('c2', 2, 'left', { tool: 'read_page' }),
      reportedBack('left', 'timeout'),
      stopped(),
    ]);
    expect(timeline(events)).toMatchObject({
      durationMs: 12_000,
      leftOut: 0,
      rows: [
        { role: 'orchestrator', spans: [{ kind: 'thinking', from: 3000, to: 4000 }], delegations: [] },
        {
          role: 'executor',
          executorId: 'left',
          spans: [
            { kind: 'thinking', from: 6000, to: 8000, label: 'turn 1' },
            // Never answered: it lasted until the end.
            { kind: 'call', from: 10_000, to: 12_000, label: 'step 2: read_page', seq: 10 },
          ],
          delegations: [{ status: 'timeout', startedAt: 5000, endedAt: 11_000 }],
        },
        { executorId: 'right', spans: [{ kind: 'call', from: 7000, to: 9000, isError: true, seq: 7 }] },
      ],
    });
  });

  it('is bounded, and says how much is left out', () => {
    const many = Array.from({ length: 300 }, () => [turn('start'), turn('end')]).flat();
    const calls = Array.from({ length: 200 }, (_, index) => called(`c${index}`, index + 1));
    const { leftOut, rows } = timeline(madeJournal([...many, ...calls, stopped()]));
    expect(leftOut).toBe(500 - HTML_LIMITS.timelineSpans);
    expect(rows[0]?.spans).toHaveLength(HTML_LIMITS.timelineSpans);
  });
});

describe('amounts', () => {
  it('call the unknown unknown, and never zero', () => {
    expect([tokenText(null), tokenText(0), tokenText(12_345)]).toEqual(['unknown', '0', '12,345']);
    expect([costText(null), costText(0), costText(0.00042), costText(0.1234), costText(12.345)]).toEqual([
      'unknown',
      '$0.00',
      '$0.00042',
      '$0.12',
      '$12.35',
    ]);
    expect(usedCost(undefined)).toBe('–');
  });

  it('tell what was claimed beside what is', () => {
    expect(claimText({})).toBe('–');
    expect(claimText({ claimed: 'gave_up' })).toBe('gave up');
    expect(claimText({ claimed: 'done' })).toBe('done');
    expect(claimText({ claimed: 'done', falselyClaimed: true })).toBe('done, but failed');
  });
});
