/** A list of BrowserGym's names as tasks: each name is looked for in the data of its benchmark, which the user names. */
import { z } from 'zod';
import { type ListedTask, listedTask, rowsOfNames } from '../browsergym/list-rows.ts';
import { importMiniwobRow, miniwobName } from '../miniwob/miniwob-task.ts';
import type { ImportedRow } from '../rows/imported-row.ts';
import type { Row } from '../rows/row.ts';
import { ROW_FORMATS, type RowFormat } from './formats.ts';
import { importRows } from './import-rows.ts';
import { type ImportedSource, type ImportRequest, miniwobFiles } from './imported-source.ts';
import { type MiniwobSource, miniwobRow, readMiniwob } from './read-miniwob.ts';
import { readSource, readText, type Source } from './read-source.ts';
import { rowsOfText } from './rows-of-text.ts';

const rowKeys = z.looseObject({
  task_id: z.int().optional(),
  old_task_id: z.int().optional(),
  intent_template_id: z.int().optional(),
  revision: z.int().optional(),
});
type RowKeys = z.infer<typeof rowKeys>;

/** BrowserGym's name of a benchmark, our format for it, and what stands behind the dot of a task's name. */
const BENCHMARKS: Readonly<Record<string, { format: RowFormat; keyOf: (row: RowKeys) => string }>> = {
  webarena: { format: 'webarena', keyOf: ({ task_id }) => `${task_id}` },
  webarenalite: { format: 'webarena-lite', keyOf: ({ old_task_id }) => `${old_task_id}` },
  visualwebarena: { format: 'visualwebarena', keyOf: ({ task_id }) => `${task_id}` },
  webarena_verified: {
    format: 'webarena-verified',
    keyOf: ({ intent_template_id, task_id, revision }) => `${intent_template_id}.${task_id}.${revision}`,
  },
};
const MINIWOB = 'miniwob';
/** The benchmarks that `--data` can name. */
export const LISTED_BENCHMARKS: readonly string[] = [...Object.keys(BENCHMARKS), MINIWOB];

export function importList(request: ImportRequest): ImportedSource {
  const { text, file, sha256 } = readText(request.place);
  const source = { format: request.format, file, sha256 };
  const data = new ListedData(request, { file, sha256 });
  const imported = importRows(data.expand(listRows(text)), (row) => data.taskOf(row as Expanded));
  const usesPages = imported.tasks.some(({ task }) => task.source?.format === MINIWOB);
  return { ...imported, source, files: usesPages ? miniwobFiles(data.pages?.files ?? new Map()) : new Map() };
}

function listRows(text: string): Iterable<Row> {
  return /^\s*[[{"]/.test(text) ? rowsOfText(text) : rowsOfNames(text);
}

/** A name of the list with one seed. */
type Expanded = ListedTask | { problem: string };

class ListedData {
  readonly pages: MiniwobSource | undefined;
  readonly #request: ImportRequest;
  readonly #list: Pick<Source, 'file' | 'sha256'>;
  readonly #rows = new Map<string, { source: Source; byKey: Map<string, Row> }>();

  constructor(request: ImportRequest, list: Pick<Source, 'file' | 'sha256'>) {
    this.#request = request;
    this.#list = list;
    for (const [name, place] of Object.entries(request.data)) {
      const benchmark = BENCHMARKS[name];
      if (!benchmark) continue;
      const source = readSource(place);
      const rows = [...source.rows].map((row) => [keyOfRow(row, benchmark.keyOf), row] as const);
      this.#rows.set(name, { source, byKey: new Map(rows) });
    }
    const folder = request.data[MINIWOB];
    this.pages = folder === undefined ? undefined : readMiniwob(folder, []);
  }

  /** A name of a page that is made from a seed stands for a task a seed. */
  *expand(rows: Iterable<Row>): Generator<Row> {
    for (const { place, value, problem } of rows) {
      const listed = problem === undefined ? listedTask(value) : { problem };
      if ('problem' in listed || listed.benchmark !== MINIWOB || listed.seed !== undefined)
        yield { place, value: listed };
      else for (const seed of this.#request.seeds) yield { place, value: { ...listed, seed } };
    }
  }

  taskOf(row: Expanded): ImportedRow {
    if ('problem' in row) return { result: 'invalid', reason: row.problem };
    const { benchmark, name, seed, maxSteps } = row;
    const id = `${benchmark}.${name}`;
    if (!LISTED_BENCHMARKS.includes(benchmark))
      return { result: 'not_portable', id, reason: `Tasks of ${benchmark} cannot be imported.` };
    const made = benchmark === MINIWOB ? this.#page(name, seed ?? 0, maxSteps) : this.#row(benchmark, name);
    if (made) return this.#listed(made, maxSteps);
    const where = this.#request.data[benchmark];
    return where === undefined
      ? { result: 'not_portable', id, reason: `Give the data of ${benchmark}: --data ${benchmark}=<file or folder>.` }
      : { result: 'invalid', reason: `There is no ${id} in ${where}.` };
  }

  #page(name: string, seed: number, maxSteps: number | undefined): ImportedRow | undefined {
    const { pages } = this;
    const page = pages?.pages.find((one) => miniwobName(one) === name);
    if (!pages || page === undefined) return undefined;
    const { value, place } = miniwobRow(pages.files, page, seed);
    const row = importMiniwobRow({ ...(value as object), ...(maxSteps === undefined ? {} : { maxSteps }) });
    return withData(row, MINIWOB, pages, place);
  }

  #row(benchmark: string, name: string): ImportedRow | undefined {
    const data = this.#rows.get(benchmark);
    const row = data?.byKey.get(name);
    const format = BENCHMARKS[benchmark]?.format;
    if (!data || !row || !format) return undefined;
    if (row.problem !== undefined) return { result: 'invalid', reason: `${row.place} of its data: ${row.problem}` };
    return withData(ROW_FORMATS[format](row.value, this.#request.options), format, data.source, row.place);
  }

  #listed(row: ImportedRow, maxSteps: number | undefined): ImportedRow {
    if (row.result !== 'task' || !row.task.source) return row;
    const source = { ...row.task.source, list: this.#list };
    return { ...row, task: { ...row.task, ...(maxSteps === undefined ? {} : { maxSteps }), source } };
  }
}

function withData(row: ImportedRow, format: string, { file, sha256 }: Source, place: string): ImportedRow {
  if (row.result !== 'task') return row;
  return { ...row, task: { ...row.task, source: { format, file, sha256, row: place } } };
}

function keyOfRow({ value }: Row, keyOf: (row: RowKeys) => string): string {
  const parsed = rowKeys.safeParse(value);
  return parsed.success ? keyOf(parsed.data) : '';
}
