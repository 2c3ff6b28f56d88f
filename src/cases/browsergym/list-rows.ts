/** A list of BrowserGym's task names: its metadata as CSV, a JSON array or JSON lines of names or of `{task_name, task_seed, max_steps}`, or a name a line. */
import { z } from 'zod';
import { sentenceOf } from '../../errors/index.ts';
import type { Row } from '../rows/row.ts';

const NAME = /^(?:browsergym\/)?([a-z][a-z_]{0,40})\.([A-Za-z0-9][A-Za-z0-9._-]{0,120})$/;

const nameSchema = z.string().regex(NAME, { error: 'must be a name such as "miniwob.click-test" or "webarena.12"' });
const rowSchema = z.union(
  [
    nameSchema.transform((task_name) => ({ task_name })),
    z.object({
      task_name: nameSchema,
      task_seed: z.int().min(0).nullish(),
      max_steps: z.int().min(1).max(100).nullish(),
    }),
  ],
  { error: (issue) => unionText(issue.input) },
);

export interface ListedTask {
  readonly benchmark: string;
  /** What stands after the first dot. */
  readonly name: string;
  readonly seed?: number;
  readonly maxSteps?: number;
}

export function listedTask(given: unknown): ListedTask | { problem: string } {
  const parsed = rowSchema.safeParse(given);
  if (!parsed.success) return { problem: sentenceOf(parsed.error) };
  const { task_name, ...more } = parsed.data;
  const [, benchmark = '', name = ''] = NAME.exec(task_name) ?? [];
  const { task_seed, max_steps } = { task_seed: undefined, max_steps: undefined, ...more };
  return {
    benchmark,
    name,
    ...(task_seed == null ? {} : { seed: task_seed }),
    ...(max_steps == null ? {} : { maxSteps: max_steps }),
  };
}

/** The alternatives of a union would hide what is wrong with the one that was meant. */
function unionText(input: unknown): string {
  const schema = typeof input === 'string' ? nameSchema : rowSchema.options[1];
  const parsed = schema.safeParse(input);
  return parsed.success ? 'is no task name' : sentenceOf(parsed.error);
}

/** Lines that are no JSON: CSV with a column `task_name`, or names. */
export function* rowsOfNames(text: string): Generator<Row> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const columns = cellsOf(lines[0] ?? '');
  const at = columns.indexOf('task_name');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (at >= 0 && index === 0)) continue;
    const place = `line ${index + 1}`;
    if (at < 0) yield { place, value: line.trim() };
    else if (cellsOf(line).length !== columns.length)
      yield { place, problem: `It has ${cellsOf(line).length} cells, and the header has ${columns.length}.` };
    else yield { place, value: cellsOf(line)[at] };
  }
}

/** A cell in quotes may hold commas, and a quote twice. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain = '']) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}
