/** Folders of task templates: their instances of some seeds take their place. */
import path from 'node:path';
import { parseSeeds, templatesIn, writeInstances } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';
import type { Flag } from './command.ts';

export const seedsFlag = {
  type: 'string',
  value: '<a..b>',
  about: 'of a folder of task templates: the instances of these seeds (0..9, 3, 1,4,7); default 0',
} as const satisfies Flag;

/** Without `--seeds`. */
const DEFAULT_SEEDS = '0';

/** The instances are written into `.waymark/instances` of the working folder, so that the same command finds the same files again. */
export async function withInstances(
  places: readonly string[],
  seeds: string | undefined,
  cwd: string,
): Promise<string[]> {
  const full = (place: string): string => path.resolve(cwd, place);
  if (seeds !== undefined && !places.some((place) => templatesIn(full(place))))
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: '--seeds is for a folder of task templates, and none was given.',
      hint: 'For example: waymark run suites/waymark-web --seeds 0..9',
    });
  const text = seeds ?? DEFAULT_SEEDS;
  return Promise.all(
    places.map(async (place) => {
      if (templatesIn(full(place)) === undefined) return place;
      const name = `${path.basename(full(place))}-seeds-${text.replaceAll(/[^\d.,]/g, '')}`;
      const out = path.join(cwd, '.waymark', 'instances', name);
      await writeInstances(full(place), parseSeeds(text), out);
      return out;
    }),
  );
}
