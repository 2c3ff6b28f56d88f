/** Screenshots of an episode: numbered files, and an identical picture is stored once. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NoScreenshot, Screenshot } from '../chromium/index.ts';

export class PictureStore {
  readonly folder: string;
  readonly #files = new Map<string, string>();
  #attempted = 0;
  #written = 0;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  get counts(): { attempted: number; written: number } {
    return { attempted: this.#attempted, written: this.#written };
  }

  /** The picture's file name, inside the folder. */
  async keep(taken: () => Promise<Screenshot | NoScreenshot>): Promise<{ file: string; hash: string } | NoScreenshot> {
    this.#attempted++;
    const shot = await taken();
    if ('failed' in shot) return shot;
    const known = this.#files.get(shot.hash);
    if (known !== undefined) return { file: known, hash: shot.hash };
    const file = `${String(this.#files.size + 1).padStart(3, '0')}.jpg`;
    this.#files.set(shot.hash, file);
    try {
      await writeFile(path.join(this.folder, file), shot.data);
      this.#written++;
      return { file, hash: shot.hash };
    } catch (error) {
      // A picture that can't be kept is a warning; the next identical one is tried again.
      this.#files.delete(shot.hash);
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }
}
