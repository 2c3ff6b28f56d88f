/** Datasets as JSONL, one item per line. The report has a message for each invalid line; a dataset is imported completely or not at all. */
import { JsonRefusal, linesOf, MAX_LINE, MAX_LINES, parseJson } from '../../archives/index.ts';
import { sentenceOf } from '../../errors/index.ts';
import { versionHash } from './dataset.ts';
import { type Item, itemSchema } from './item.ts';

export interface LineProblem {
  /** From 1. */
  readonly line: number;
  readonly code: 'json' | 'item' | 'duplicate' | 'too_long' | 'too_many';
  readonly message: string;
  readonly item_id?: string;
}

export interface DatasetReport {
  /** The number of lines that are not empty. */
  readonly lines: number;
  readonly accepted: number;
  readonly problems: readonly LineProblem[];
  readonly items: readonly Item[];
  /** The hash of the accepted items; only a report without problems should be stored. */
  readonly version_hash: string;
}

/**
 * @example
 * const report = parseJsonl('{"id":"a","type":"numeric","prompt_text":"6 × 7?","answer":42}\n');
 * report.problems; // []
 */
export function parseJsonl(text: string): DatasetReport {
  const problems: LineProblem[] = [];
  const items: Item[] = [];
  const firstLine = new Map<string, number>();
  let lines = 0;
  // Windows editors put a byte order mark at the start of a file.
  for (const { line, number } of linesOf(text.replace(/^\uFEFF/, ''))) {
    if (line.trim() === '') continue;
    lines++;
    if (lines > MAX_LINES) {
      problems.push({ line: number, code: 'too_many', message: `A dataset has at most ${MAX_LINES} items.` });
      break;
    }
    const read = readLine(line, number);
    if ('code' in read) {
      problems.push(read);
      continue;
    }
    const first = firstLine.get(read.id);
    if (first !== undefined) {
      const message = `The id ${read.id} is already used on line ${first}.`;
      problems.push({ line: number, code: 'duplicate', message, item_id: read.id });
      continue;
    }
    firstLine.set(read.id, number);
    items.push(read);
  }
  return { lines, accepted: items.length, problems, items, version_hash: versionHash(items) };
}

export function toJsonl(items: readonly Item[]): string {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
}

function readLine(line: string, number: number): Item | LineProblem {
  if (line.length > MAX_LINE)
    return { line: number, code: 'too_long', message: `The line is longer than ${MAX_LINE} characters.` };
  let value: unknown;
  try {
    value = parseJson(line);
  } catch (thrown) {
    if (!(thrown instanceof JsonRefusal)) throw thrown;
    return { line: number, code: 'json', message: thrown.message };
  }
  const parsed = itemSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const id =
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string' ? value.id : undefined;
  return {
    line: number,
    code: 'item',
    message: sentenceOf(parsed.error),
    ...(id === undefined ? {} : { item_id: id.slice(0, 200) }),
  };
}
