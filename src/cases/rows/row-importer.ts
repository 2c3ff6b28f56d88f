/** Makes the importer of a format: the row is held to its schema, and what is wrong with it is said in a sentence. */
import type { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import type { ImportOptions } from './import-options.ts';
import { checkedTask, type ImportedRow, type TaskOfRow } from './imported-row.ts';

export type RowImporter = (row: unknown, options: ImportOptions) => ImportedRow;

interface RowRules<T> {
  readonly schema: z.ZodType<T>;
  readonly idOf: (row: T) => string;
  /** May throw `NotPortable`. */
  readonly taskOf: (id: string, row: T, options: ImportOptions) => TaskOfRow;
}

export function rowImporter<T>({ schema, idOf, taskOf }: RowRules<T>): RowImporter {
  return (given, options) => {
    const parsed = schema.safeParse(given);
    if (!parsed.success) return { result: 'invalid', reason: sentenceOf(parsed.error) };
    const id = idOf(parsed.data);
    return checkedTask(id, () => taskOf(id, parsed.data, options));
  };
}
