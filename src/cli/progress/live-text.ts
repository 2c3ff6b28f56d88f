/** The live line of a run: how far it is, how it goes, what runs, how long it still takes. */
import { passRates } from '../../metrics/index.ts';
import { durationText } from '../duration-text.ts';

export interface LiveState {
  readonly done: number;
  readonly total: number;
  /** Of those that ended in this process, how many there are and how many passed. */
  readonly ended: number;
  readonly passed: number;
  /** Names of what runs now. */
  readonly running: readonly string[];
  /** Since the first attempt of this process began. */
  readonly elapsedMs: number;
}

/** @example liveText({ done: 12, total: 60, ended: 12, passed: 9, running: ['a', 'b'], elapsedMs: 60_000 }, 80); */
export function liveText(state: LiveState, columns: number): string {
  const { done, total, ended, passed, running, elapsedMs } = state;
  const parts = [`${done}/${total}`];
  if (ended > 0) {
    const { rate, interval } = passRates([
      ...Array(passed).fill('passed'),
      ...Array(ended - passed).fill('failed'),
    ]).strict;
    parts.push(`${percent(rate ?? 0)} passed (${percent(interval.low)} to ${percent(interval.high)})`);
    if (done < total) parts.push(`${durationText((elapsedMs / ended) * (total - done))} left`);
  }
  if (running.length > 0) parts.push(`running: ${running.join(', ')}`);
  const text = parts.join('  ');
  // One column less: a full line makes some terminals begin another one.
  return text.length < columns ? text : `${text.slice(0, Math.max(0, columns - 2))}…`;
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`;
}
