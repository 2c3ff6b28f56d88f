/** Two runs of any place, as `waymark compare` compares them. */
import { WaymarkError } from '../../errors/index.ts';
import type { Counting } from '../../metrics/index.ts';
import { compareRead } from '../compare/compare-run-folders.ts';
import { type ComparisonView, comparisonView } from '../compare/comparison-view.ts';
import { discordantPairs } from '../compare/divergences.ts';
import type { SampleReader } from './sample-reader.ts';

/** @throws WaymarkError runs_not_comparable, with the reason. */
export async function compareAnyRuns(
  samples: SampleReader,
  ids: { a: string; b: string },
  counting?: Counting,
): Promise<ComparisonView> {
  if (ids.a === ids.b)
    throw new WaymarkError({
      code: 'runs_not_comparable',
      message: `The run ${ids.a} was to be compared with itself.`,
      hint: 'Choose another run.',
    });
  const [a, b] = [await samples.read(ids.a), await samples.read(ids.b)];
  const { comparisons } = await compareRead([a, b], { counting });
  const [comparison] = comparisons;
  if (!comparison) throw new Error('Two samples were compared, and there is no comparison.');
  return comparisonView(comparison, discordantPairs(a.sample, b.sample));
}
