/** Lines that consist of an option: "B", "(B)", "B) Mercury", "Mercury". A block that lists several options repeats the question and is not an answer. */
import { foldOption, indexOfLetter } from '../../cases/index.ts';
import { type Question, readLetter } from './read-option.ts';

export interface OptionLine {
  readonly index: number;
  /** The line has only the option, without an explanation after it. */
  readonly isWhole: boolean;
  readonly conflict?: string;
  /** Lines without a blank line between them share a block. */
  readonly block: number;
}

const MARKER =
  /^[^\p{L}\p{N}(["'“]{0,6}(?:(?:option|choice|answer)\s+)?[(["'“]?([A-Za-z])(?:[)\].:"'”]+|\s*[-–—]|\s*,|$)\s*/iu;

export function optionLines(question: Question): OptionLine[] {
  const found: OptionLine[] = [];
  let block = 0;
  for (const line of question.text.split('\n')) {
    if (line.trim() === '') block++;
    else {
      const read = readLine(line, question.options);
      if (read) found.push({ ...read, block });
    }
  }
  return found;
}

function readLine(line: string, options: readonly string[]): Omit<OptionLine, 'block'> | undefined {
  const whole = foldOption(line);
  const byText = options.indexOf(whole);
  if (byText >= 0 && whole.length > 1) return { index: byText, isWhole: true };
  const marker = MARKER.exec(line.slice(0, 100));
  const index = marker?.[1] === undefined ? undefined : indexOfLetter(marker[1], options.length);
  if (marker === null || index === undefined) return undefined;
  const rest = foldOption(line.slice(marker[0].length));
  const isWhole = rest === '' || rest === options[index];
  const read = readLetter({ text: line, lower: line.toLowerCase(), options }, line.indexOf(marker[1] ?? ''));
  return { index, isWhole, ...(read?.conflict === undefined ? {} : { conflict: read.conflict }) };
}

/** The lines of blocks that name only one option. */
export function withoutListings(lines: readonly OptionLine[]): OptionLine[] {
  const named = new Map<number, Set<number>>();
  for (const { block, index } of lines) named.set(block, (named.get(block) ?? new Set()).add(index));
  return lines.filter(({ block }) => (named.get(block)?.size ?? 0) === 1);
}
