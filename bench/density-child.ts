/** One contestant at one density, in a process of its own: its memory and its CPU are its own. Options as JSON in, figures as JSON out. */
import type { DensityFigures, DensityOptions } from './density-measure.ts';

const options = JSON.parse(process.argv[2] ?? '') as DensityOptions;
console.log(JSON.stringify(await measure()));

/** Only what is measured is loaded. */
async function measure(): Promise<DensityFigures> {
  if (options.contestant === 'waymark') return (await import('./density-waymark.ts')).waymarkDensity(options);
  return (await import('./density-playwright.ts')).playwrightDensity(options);
}
