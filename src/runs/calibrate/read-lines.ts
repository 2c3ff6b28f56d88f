/** A file of one JSON object a line, from a person or another program. Every line that can't be used is named, and then none is used. */
import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { JsonRefusal, linesOf, MAX_BODY_BYTES, MAX_LINE, MAX_LINES, parseJson } from '../../archives/index.ts';
import { messageOf, sentenceOf, WaymarkError } from '../../errors/index.ts';

export interface Numbered<T> {
  /** From 1. */
  readonly line: number;
  readonly value: T;
}

export interface LineProblem {
  readonly line: number;
  readonly message: string;
}

/** A first line that is about the file. */
const headerSchema = z.looseObject({ about: z.string() });

/** Lines that are listed in a message. */
const SHOWN = 20;

export interface ReadLines<T> {
  /** What the file says of itself. */
  readonly about?: string | undefined;
  readonly lines: readonly Numbered<T>[];
}

export function readLines<T>(file: string, schema: z.ZodType<T>): ReadLines<T> {
  const problems: LineProblem[] = [];
  const lines: Numbered<T>[] = [];
  let about: string | undefined;
  // Windows editors put a byte order mark at the start of a file.
  for (const { line, number } of linesOf(textOf(file).replace(/^\uFEFF/, ''))) {
    if (line.trim() === '') continue;
    if (lines.length + problems.length >= MAX_LINES) {
      problems.push({ line: number, message: `A file has at most ${MAX_LINES} lines.` });
      break;
    }
    const read = jsonOf(line);
    if ('message' in read) {
      problems.push({ line: number, message: read.message });
      continue;
    }
    const parsed = schema.safeParse(read.value);
    if (parsed.success) lines.push({ line: number, value: parsed.data });
    else {
      const header = number === 1 ? headerSchema.safeParse(read.value).data : undefined;
      if (header) about = header.about;
      else problems.push({ line: number, message: sentenceOf(parsed.error) });
    }
  }
  refuseLines(file, problems);
  if (lines.length === 0) throw badLines(`${file} has no lines that could be used.`);
  return { about, lines };
}

/** Throws where there is a problem, with all of them in order. */
export function refuseLines(file: string, problems: readonly LineProblem[]): void {
  if (problems.length === 0) return;
  const sorted = problems.toSorted((a, b) => a.line - b.line);
  const shown = sorted.slice(0, SHOWN).map(({ line, message }) => `line ${line}: ${message}`);
  const more = sorted.length > SHOWN ? [`${sorted.length - SHOWN} more lines`] : [];
  throw badLines(
    `${file} can't be used as it is:\n${[...shown, ...more].join('\n')}`,
    sorted.map(({ line, message }) => ({ path: `line ${line}`, code: 'line', message })),
  );
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > MAX_BODY_BYTES) throw badLines(`${file} is larger than ${MAX_BODY_BYTES} bytes.`);
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (thrown instanceof WaymarkError) throw thrown;
    throw badLines(`${file} can't be read: ${messageOf(thrown)}`);
  }
}

function jsonOf(line: string): { value: unknown } | { message: string } {
  if (line.length > MAX_LINE) return { message: `The line is longer than ${MAX_LINE} characters.` };
  try {
    return { value: parseJson(line) };
  } catch (thrown) {
    if (!(thrown instanceof JsonRefusal)) throw thrown;
    return { message: thrown.message };
  }
}

function badLines(message: string, issues: WaymarkError['issues'] = []): WaymarkError {
  return new WaymarkError({
    code: 'usage_bad_labels',
    message,
    hint: 'docs/how-to/calibrate-a-judge.md says what the lines are. Nothing was judged.',
    issues,
  });
}
