/** Strict and bounded JSON and JSONL inside an archive. A refusal names the rule and the position. */
import type { z } from 'zod';
import { issuesOf, WaymarkError } from '../errors/index.ts';
import { invalid, unsafe } from './archive-problem.ts';
import { MAX_LINE, MAX_LINES } from './limits.ts';
import { linesOf } from './lines.ts';
import { JsonRefusal, parseJson } from './strict-json.ts';

export function parseEntry(text: string, path: string): unknown {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (!(thrown instanceof JsonRefusal)) throw thrown;
    const { rule, message } = thrown;
    throw rule === 'json' ? invalid(rule, path, `${path}: ${message}`) : unsafe(rule, path, `${path}: ${message}`);
  }
}

export function parseEntryLines(text: string, path: string): unknown[] {
  const values: unknown[] = [];
  for (const { line, number } of linesOf(text)) {
    const where = `${path}:${number}`;
    if (number > MAX_LINES) throw unsafe('too_many_lines', path, `${path} has more than ${MAX_LINES} lines.`);
    if (line.length > MAX_LINE) throw unsafe('line_too_long', where, `${where} is longer than ${MAX_LINE} characters.`);
    values.push(parseEntry(line, where));
  }
  return values;
}

export function matchSchema<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error, path);
  throw new WaymarkError({
    code: 'archive_invalid',
    message: `The file was refused (schema): ${issues[0]?.message ?? path}`,
    issues,
  });
}
