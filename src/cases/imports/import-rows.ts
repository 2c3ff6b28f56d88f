/** Rows of a benchmark as tasks: one function per format makes a task of a row, and this collects them. Never throws because of a row. */
import type { GraderKind } from '../graders/grader-spec.ts';
import type { ImportedRow, TaskOfRow } from '../rows/imported-row.ts';
import type { Row } from '../rows/row.ts';

export interface ImportedTask extends TaskOfRow {
  readonly place: string;
}

export interface TaskImport {
  readonly tasks: readonly ImportedTask[];
  /** Rows whose rules can't be stated here, each with the reason, and with the grader that could apply them. */
  readonly notPortable: readonly { readonly id: string; readonly needs?: GraderKind; readonly reason: string }[];
  /** Rows that can't be used. */
  readonly invalid: readonly { readonly place: string; readonly reason: string }[];
}

export function importRows(rows: Iterable<Row>, importRow: (row: unknown) => ImportedRow): TaskImport {
  const tasks: ImportedTask[] = [];
  const notPortable: TaskImport['notPortable'][number][] = [];
  const invalid: TaskImport['invalid'][number][] = [];
  const places = new Map<string, string>();
  for (const { place, value, problem } of rows) {
    const row: ImportedRow = problem === undefined ? importRow(value) : { result: 'invalid', reason: problem };
    if (row.result === 'invalid') {
      invalid.push({ place, reason: row.reason });
      continue;
    }
    const id = row.result === 'task' ? row.task.id : row.id;
    const other = places.get(id);
    if (other !== undefined) invalid.push({ place, reason: `The id ${id} is that of ${other}, too.` });
    else if (row.result === 'task') tasks.push({ ...row, place });
    else notPortable.push(row);
    places.set(id, place);
  }
  return { tasks, notPortable, invalid };
}
