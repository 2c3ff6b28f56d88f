/** What is asked for, and what comes of it. */
import { MINIWOB_FIXTURE } from '../miniwob/miniwob-fixture.ts';
import type { ImportOptions } from '../rows/import-options.ts';
import type { TaskFormat } from './formats.ts';
import type { TaskImport } from './import-rows.ts';

export interface ImportRequest {
  /** The file or the folder. */
  readonly place: string;
  readonly format: TaskFormat;
  readonly options: ImportOptions;
  /** Of pages that are made from a seed. */
  readonly seeds: readonly number[];
  /** Of a list of names: where the rows are, by the name of the benchmark. */
  readonly data: Readonly<Record<string, string>>;
}

export interface ImportedSource extends TaskImport {
  readonly source: { readonly format: TaskFormat; readonly file: string; readonly sha256: string };
  /** Files beside the tasks, by their path in the folder. */
  readonly files: ReadonlyMap<string, string | Buffer>;
}

/** What the tasks of MiniWoB++ need beside them. */
export function miniwobFiles(files: ReadonlyMap<string, Buffer>): Map<string, string | Buffer> {
  return new Map<string, string | Buffer>([
    ['fixture.mjs', MINIWOB_FIXTURE],
    ...[...files].map(([name, bytes]): [string, Buffer] => [`pages/${name}`, bytes]),
  ]);
}
