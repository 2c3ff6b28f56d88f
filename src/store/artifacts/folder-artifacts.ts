/** Artifacts in a folder. Written to a temporary name first, then renamed: a crash leaves no half file under a real name. */
import { createHash, randomUUID } from 'node:crypto';
import { constants, type Dirent, mkdirSync } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { WaymarkError } from '../../errors/index.ts';
import { checkArtifactKey, checkArtifactPrefix } from './artifact-key.ts';
import type { ArtifactBody, ArtifactInfo, Artifacts, PutResult } from './artifacts.ts';
import { chunksOf } from './chunks-of.ts';
import { putContent } from './put-content.ts';

/** On the same disk as the rest, so that renaming is one step. The dot keeps it from being anybody's key. */
const TEMPORARY = '.tmp';

export class FolderArtifacts implements Artifacts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = path.resolve(folder);
    mkdirSync(path.join(this.#folder, TEMPORARY), { recursive: true, mode: 0o700 });
  }

  async put(key: string, body: ArtifactBody): Promise<PutResult> {
    const file = this.#file(key);
    const temporary = path.join(this.#folder, TEMPORARY, randomUUID());
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      const handle = await open(temporary, 'wx', 0o600);
      try {
        for await (const chunk of chunksOf(body)) {
          hash.update(chunk);
          bytes += chunk.byteLength;
          await handle.writeFile(chunk);
        }
        // Rows that name this file may be committed next.
        await handle.sync();
      } finally {
        await handle.close();
      }
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await rename(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    return { key, bytes, sha256: hash.digest('hex') };
  }

  putContent(body: Uint8Array | string, extension?: string): Promise<PutResult> {
    return putContent(this, body, extension);
  }

  async get(key: string): Promise<Readable> {
    try {
      // A symbolic link that was put here is not followed.
      const handle = await open(this.#file(key), constants.O_RDONLY | constants.O_NOFOLLOW);
      if ((await handle.stat()).isFile()) return handle.createReadStream();
      await handle.close();
    } catch (error) {
      if (!isAbsence(error)) throw error;
    }
    throw new WaymarkError({ code: 'artifact_not_found', message: `There is no artifact ${key}.` });
  }

  async head(key: string): Promise<ArtifactInfo | undefined> {
    try {
      const stat = await lstat(this.#file(key));
      return stat.isFile() ? { key, bytes: stat.size, modifiedAt: stat.mtime } : undefined;
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  async *list(prefix = ''): AsyncIterable<ArtifactInfo> {
    for (const entry of await this.#entries(checkArtifactPrefix(prefix))) {
      const key = prefix ? `${prefix}/${entry.name}` : entry.name;
      if (entry.isDirectory()) yield* this.list(key);
      const info = entry.isFile() ? await this.head(key) : undefined;
      if (info) yield info;
    }
  }

  async delete(key: string): Promise<boolean> {
    const there = await this.head(key);
    await rm(this.#file(key), { force: true });
    return there !== undefined;
  }

  #file(key: string): string {
    return path.join(this.#folder, ...checkArtifactKey(key).split('/'));
  }

  async #entries(prefix: string): Promise<Dirent[]> {
    try {
      const entries = await readdir(path.join(this.#folder, prefix), { withFileTypes: true });
      return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  }
}

function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
