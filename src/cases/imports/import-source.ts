/** A file or a folder of another benchmark as tasks, with the hash of the source in each, and the files that the tasks need beside them. */
import { importMiniwobRow } from '../miniwob/miniwob-task.ts';
import type { TaskFormat } from './formats.ts';
import { isRowFormat, ROW_FORMATS } from './formats.ts';
import { importList } from './import-list.ts';
import { importRows, type TaskImport } from './import-rows.ts';
import { type ImportedSource, type ImportRequest, miniwobFiles } from './imported-source.ts';
import { readMiniwob } from './read-miniwob.ts';
import { readSource, type Source } from './read-source.ts';

/** @throws WaymarkError where the source can't be read. What is wrong with a row is in `invalid`. */
export function importSource(request: ImportRequest): ImportedSource {
  const { place, format, options, seeds } = request;
  if (format === 'browsergym') return importList(request);
  if (isRowFormat(format)) {
    const read = readSource(place);
    const imported = importRows(read.rows, (row) => ROW_FORMATS[format](row, options));
    return { ...withSource(imported, format, read), files: new Map() };
  }
  const read = readMiniwob(place, seeds);
  return { ...withSource(importRows(read.rows, importMiniwobRow), format, read), files: miniwobFiles(read.files) };
}

function withSource(imported: TaskImport, format: TaskFormat, { file, sha256 }: Source): Omit<ImportedSource, 'files'> {
  const source = { format, file, sha256 };
  const tasks = imported.tasks.map((one) => ({ ...one, task: { ...one.task, source: { ...source, row: one.place } } }));
  return { ...imported, tasks, source };
}
