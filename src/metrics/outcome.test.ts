import { describe, expect, it } from 'vitest';
import { episodeMetrics } from './episode-metrics.ts';
import type { MetricEvent } from './events.ts';
import { outcomeClass, passRates } from './outcome.ts';

describe('outcome', () => {
  it.each([
    ['passed', undefined, 'passed', true],
    ['failed', undefined, 'failed', true],
    ['max_steps', undefined, 'max_steps', true],
    ['timeout', undefined, 'timeout', true],
    ['adapter_error', undefined, 'adapter_error', false],
    ['tool_error', undefined, 'server_error', false],
    ['tool_error', 'server', 'server_error', false],
    ['tool_error', 'transport', 'server_error', false],
    ['tool_error', 'browser', 'env_error', false],
    ['tool_error', 'fixture', 'env_error', false],
    ['failed', 'reset', 'env_error', false],
    ['failed', 'grader', 'grader_error', false],
    ['failed', 'adapter', 'adapter_error', false],
    ['failed', 'guard', 'guard_stop', true],
  ] as const)('%s, cause %s: %s', (status, cause, expected, agentDecided) => {
    expect(outcomeClass(status, cause)).toBe(expected);
    expect(episodeMetrics([{ seq: 0, time: 0, type: 'stop', status, cause }]).outcome).toEqual({
      status,
      class: expected,
      agentDecided,
    });
  });

  it('an episode on a browser that was not proved clean is an environment error', () => {
    const events: MetricEvent[] = [
      { seq: 0, time: 0, type: 'reset', ok: false },
      { seq: 1, time: 1, type: 'stop', status: 'failed' },
    ];
    expect(episodeMetrics(events).outcome?.class).toBe('env_error');
  });

  it('rates have their own denominators', () => {
    const { strict, validOnly } = passRates(['passed', 'passed', 'failed', 'env_error', 'guard_stop']);
    expect(strict).toMatchObject({ passed: 2, of: 5, rate: 0.4 });
    expect(validOnly).toMatchObject({ passed: 2, of: 4 });
    expect(passRates([]).strict).toEqual({ passed: 0, of: 0, rate: null, interval: { low: 0, high: 1 } });
  });
});
