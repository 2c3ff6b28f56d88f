/** The contract over time: each condition with its verdict after each step that it was evaluated at. */
import type { Look, StepView } from './episode-view.ts';

export type Mark = 'pass' | 'fail' | 'inconclusive';

export interface ContractColumn {
  /** Of the step; undefined for the look at the end. */
  seq?: number;
  label: string;
  verdict: Mark;
  /** One for each condition; undefined where it was not evaluated. */
  marks: (Mark | undefined)[];
}

export interface ContractHistory {
  conditions: { depth: number; text: string }[];
  columns: ContractColumn[];
}

const WORDS: readonly (readonly [prefix: string, verdict: Mark])[] = [
  ['Passed: ', 'pass'],
  ['Failed: ', 'fail'],
  ['Inconclusive: ', 'inconclusive'],
];

export interface ContractLine {
  depth: number;
  verdict: Mark | undefined;
  /** Without the word for its verdict. */
  sentence: string;
}

/** A line of `explain`: children stand two spaces further in. */
export function contractLine(line: string): ContractLine {
  const text = line.trimStart();
  const [prefix = '', verdict] = WORDS.find(([word]) => text.startsWith(word)) ?? [];
  return { depth: Math.min(8, (line.length - text.length) / 2), verdict, sentence: text.slice(prefix.length) };
}

export function contractHistory(steps: readonly StepView[], final: Look | undefined): ContractHistory {
  const conditions: ContractHistory['conditions'] = [];
  const places = new Map<string, number>();
  let before: string[] = [];
  const columnOf = (look: Look | undefined, label: string, seq?: number): ContractColumn[] => {
    if (!look?.verdict) return [];
    const { verdict, isRepeated, lines } = look.verdict;
    if (!isRepeated) before = lines;
    const marks: (Mark | undefined)[] = [];
    const met = new Map<string, number>();
    for (const { depth, sentence, verdict: mark } of before.map(contractLine)) {
      const text = conditionIn(sentence);
      const nth = met.get(`${depth} ${text}`) ?? 0;
      met.set(`${depth} ${text}`, nth + 1);
      const key = `${depth} ${nth} ${text}`;
      const place = places.get(key) ?? conditions.push({ depth, text }) - 1;
      places.set(key, place);
      marks[place] = mark;
    }
    return [{ ...(seq === undefined ? {} : { seq }), label, verdict, marks }];
  };
  const columns = steps.flatMap(({ look, step, seq }) => columnOf(look, step === 0 ? 'start' : String(step), seq));
  return { conditions, columns: [...columns, ...columnOf(final, 'end')] };
}

/** Without what was observed. */
function conditionIn(sentence: string): string {
  const end = /\. (?:Observed|Reason): /.exec(sentence);
  return end ? sentence.slice(0, end.index) : sentence;
}
