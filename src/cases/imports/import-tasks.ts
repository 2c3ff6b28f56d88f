/** A file of another benchmark as tasks: one function per format makes a task of a row, and this reads the rows. */
import { JsonRefusal, linesOf, MAX_LINE, MAX_LINES, parseJson } from '../../archives/index.ts';
import type { TaskInput } from '../tasks/task.ts';
import type { ImportedRow } from '../webarena/imported-row.ts';
import type { Sites } from '../webarena/sites.ts';
import { importVerifiedRow } from '../webarena/verified-task.ts';
import { importWebarenaRow } from '../webarena/webarena-task.ts';

const FORMATS = {
  webarena: importWebarenaRow,
  'webarena-verified': importVerifiedRow,
} as const satisfies Record<string, (row: unknown, sites: Sites) => ImportedRow>;

export type TaskFormat = keyof typeof FORMATS;
export const TASK_FORMATS = Object.keys(FORMATS) as TaskFormat[];

export interface TaskImport {
  readonly tasks: readonly { readonly task: TaskInput; readonly notes: readonly string[] }[];
  /** Rows whose rules can't be stated here, each with the reason. */
  readonly notPortable: readonly { readonly id: string; readonly reason: string }[];
  /** Rows that can't be used: `row 3` of an array, counted from 0, or `line 3`. */
  readonly invalid: readonly { readonly place: string; readonly reason: string }[];
}

interface Row {
  readonly place: string;
  readonly value?: unknown;
  readonly problem?: string;
}

/** The text is a JSON array, or JSON lines. Never throws: what can't be used is listed. */
export function importTasks(text: string, format: TaskFormat, sites: Sites): TaskImport {
  const tasks: { task: TaskInput; notes: readonly string[] }[] = [];
  const notPortable: { id: string; reason: string }[] = [];
  const invalid: { place: string; reason: string }[] = [];
  const places = new Map<string, string>();
  for (const { place, value, problem } of rowsOf(text)) {
    const row: ImportedRow =
      problem === undefined ? FORMATS[format](value, sites) : { result: 'invalid', reason: problem };
    if (row.result === 'invalid') {
      invalid.push({ place, reason: row.reason });
      continue;
    }
    const id = row.result === 'task' ? row.task.id : row.id;
    const other = places.get(id);
    if (other !== undefined) invalid.push({ place, reason: `The id ${id} is that of ${other}, too.` });
    else if (row.result === 'task') tasks.push({ task: row.task, notes: row.notes });
    else notPortable.push({ id, reason: row.reason });
    places.set(id, place);
  }
  return { tasks, notPortable, invalid };
}

function* rowsOf(text: string): Generator<Row> {
  const given = text.replace(/^\uFEFF/, '');
  if (given.trimStart().startsWith('[')) yield* rowsOfArray(given);
  else yield* rowsOfLines(given);
}

function* rowsOfArray(text: string): Generator<Row> {
  const read = readJson(text);
  if ('problem' in read) return yield { place: 'the file', problem: read.problem };
  const rows = read.value as unknown[];
  if (rows.length > MAX_LINES) return yield { place: 'the file', problem: `It has more than ${MAX_LINES} rows.` };
  for (const [index, value] of rows.entries()) yield { place: `row ${index}`, value };
}

function* rowsOfLines(text: string): Generator<Row> {
  for (const { line, number } of linesOf(text)) {
    if (line.trim() === '') continue;
    const place = `line ${number}`;
    if (number > MAX_LINES) return yield { place, problem: `The file has more than ${MAX_LINES} lines.` };
    if (line.length > MAX_LINE) yield { place, problem: `It is longer than ${MAX_LINE} characters.` };
    else yield { place, ...readJson(line) };
  }
}

function readJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(text) };
  } catch (thrown) {
    if (thrown instanceof JsonRefusal) return { problem: thrown.message };
    throw thrown;
  }
}
