/** The attention of a page: that of all its documents together. */
import type { Observation } from '../chromium/index.ts';
import type { EvidenceBody } from '../events/index.ts';

export function attentionIn(
  main: NonNullable<Observation['main']>,
  frames: Observation['frames'],
): NonNullable<EvidenceBody['attention']> {
  const all = [main, ...frames].map(({ attention }) => attention);
  const sum = (count: 'focus' | 'pointer' | 'scrolls'): number => all.reduce((total, each) => total + each[count], 0);
  return {
    focus: sum('focus'),
    selection: all.map(({ selection }) => selection).join(''),
    pointer: sum('pointer'),
    scrolls: sum('scrolls'),
  };
}
