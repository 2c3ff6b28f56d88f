import { describe, expect, expectTypeOf, it } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import type { Evidence, Facts } from '../contracts/index.ts';
import { type EpisodeStatus, episodeMetrics, type MetricEvent, type StopCause } from '../metrics/index.ts';
import type { Reward } from '../reward/index.ts';
import type { EventOf, JournalEvent, NewEvent } from './events.ts';
import { metricEvents } from './metric-events.ts';

describe('metricEvents', () => {
  it('gives metrics all they fold, and nothing else', () => {
    const types = [...metricEvents(documentedEvents)].map(({ type }) => type);
    expect(types).toEqual(
      documentedEvents
        .filter((event) => !(event.type === 'tool_result' && event.aborted))
        .map(({ type }) => type)
        .filter(
          (type) =>
            !['start', 'message', 'usage', 'turn', 'warning', 'recovery', 'request', 'requests', 'app_state'].includes(
              type,
            ),
        ),
    );
    expect(episodeMetrics(metricEvents(documentedEvents))).toMatchObject({
      steps: 1,
      toolCalls: 3,
      errors: 1,
      durationMs: 160,
      firstTool: 'interact',
      reward: { sum: 1, min: 1, last: 1 },
      outcome: { status: 'tool_error', class: 'server_error', agentDecided: false },
    });
  });

  it('tells the reset what the start knows of the server', () => {
    const stalled = documentedEvents.map((event) =>
      event.type === 'progress' ? { ...event, status: 'stalling' } : event,
    );
    const withoutStatus = stalled.filter(({ type }) => type !== 'progress');
    expect(episodeMetrics(metricEvents(stalled)).noProgressEpisodes).toBe(1);
    expect([...metricEvents(withoutStatus)][0]).toMatchObject({ type: 'reset', hasProgressStatus: true });
  });

  it('skips events of types that a later version brought', () => {
    const later = { type: 'unknown', seq: 1, time: 1, event: { type: 'heartbeat' } } as const;
    expect([...metricEvents([later])]).toEqual([]);
  });

  it('is what metrics, contracts and reward say, by type', () => {
    expectTypeOf<
      Exclude<
        JournalEvent,
        { type: 'start' | 'message' | 'usage' | 'turn' | 'warning' | 'recovery' | 'request' | 'requests' | 'app_state' }
      >
    >().toExtend<MetricEvent>();
    expectTypeOf<EventOf<'stop'>['status']>().toEqualTypeOf<EpisodeStatus>();
    expectTypeOf<EventOf<'stop'>['cause']>().toEqualTypeOf<StopCause | undefined>();
    expectTypeOf<EventOf<'evidence'>['facts']>().toEqualTypeOf<Facts | undefined>();
    expectTypeOf<EventOf<'contract_eval'>['evidence']>().toEqualTypeOf<Evidence | undefined>();
    expectTypeOf<Reward & { type: 'reward' }>().toExtend<NewEvent<'reward'>>();
  });
});
