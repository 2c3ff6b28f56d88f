/** Comparisons and baselines that refer to runs: files of `waymark compare` (JSON, Markdown, HTML). A run is named in them by its id. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';

const MAY_REFER = /\.(?:json|md|html)$/;
/** A larger file is no comparison. */
const MOST_BYTES = 64 * 1024 * 1024;

export class References {
  readonly #texts: { file: string; text: string }[] = [];

  /** @param places files, and folders whose files are looked at (not those in folders below). */
  constructor(places: readonly string[]) {
    for (const place of places) {
      const found = statSync(place, { throwIfNoEntry: false });
      if (!found)
        throw new WaymarkError({
          code: 'usage_bad_value',
          message: `${place} is not there: which runs it refers to can't be known. Nothing was removed.`,
        });
      const files = found.isDirectory() ? filesIn(place) : [place];
      for (const file of files) this.#texts.push({ file, text: readFileSync(file, 'utf8') });
    }
  }

  fileThatNames(runId: string): string | undefined {
    return this.#texts.find(({ text }) => text.includes(runId))?.file;
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && MAY_REFER.test(entry.name))
    .map((entry) => path.join(folder, entry.name))
    .filter((file) => statSync(file).size <= MOST_BYTES);
}
