/** `string_match`: the rules on the answer, by the grader `answer` where they need no model. */
import type { AnswerSpec } from '../graders/answer-spec.ts';
import { NotPortable } from '../rows/imported-row.ts';
import { alternatives, isWord } from './phrases.ts';
import type { WebarenaRow } from './webarena-row.ts';

export interface AnswerRules {
  /** All of them must hold. */
  readonly specs: AnswerSpec[];
  /** What a model is asked about. */
  readonly criteria: string[];
  readonly notes: string[];
}

type Measure = Omit<AnswerSpec, 'grader' | 'name'>;

export function answerRules({ eval: { reference_answers } }: WebarenaRow, isVisual: boolean): AnswerRules {
  const { exact_match, must_include, must_exclude, one_of, fuzzy_match, required_values } = reference_answers ?? {};
  if (required_values !== undefined) throw new NotPortable('It compares a number in the answer.', 'command');
  const measures: Measure[] = [];
  if (exact_match !== undefined) measures.push({ checker: { kind: 'exact' }, expected: exact_match });
  if (must_include !== undefined) measures.push(...(isVisual ? wordMeasures(must_include) : [phrases(must_include)]));
  if (must_exclude !== undefined) measures.push({ checker: { kind: 'contains', none: must_exclude } });
  if (one_of !== undefined) measures.push({ checker: { kind: 'contains', any: one_of } });
  if (fuzzy_match === 'N/A') measures.push({ checker: { kind: 'exact' }, expected: 'N/A' });
  const fuzzy = fuzzy_match === undefined || fuzzy_match === 'N/A' ? [] : [fuzzy_match].flat();
  if (measures.length + fuzzy.length === 0) throw new NotPortable('It has no reference answer.');
  return {
    specs: measures.map((measure, index) => ({
      grader: 'answer',
      ...(index === 0 ? {} : { name: `answer-${index + 1}` }),
      ...measure,
    })),
    criteria: fuzzy.map((wanted) => `The answer means the same as this one, or says it: ${wanted}`),
    notes:
      fuzzy_match === 'N/A'
        ? ['Only the answer "N/A" passes; the benchmark also asks a model whether another answer gives the reason.']
        : [],
  };
}

/** One character alone must be a word of its own. */
function phrases(wanted: string[]): Measure {
  const isToken = wanted.length === 1 && wanted[0]?.trim().length === 1;
  return { checker: { kind: 'contains', all: wanted, ...(isToken ? { whole_words: true } : {}) } };
}

/** VisualWebArena looks for a word as a whole word, for several words as they are, and takes alternatives. */
function wordMeasures(wanted: readonly string[]): Measure[] {
  const words = wanted.filter((one) => isWord(one));
  const others = wanted.filter((one) => !isWord(one) && alternatives(one).length === 1);
  const choices = wanted.map(alternatives).filter(({ length }) => length > 1);
  return [
    ...(words.length > 0 ? [{ checker: { kind: 'contains', all: words, whole_words: true } as const }] : []),
    ...(others.length > 0 ? [{ checker: { kind: 'contains', all: others } as const }] : []),
    ...choices.map((any) => ({
      checker: { kind: 'contains', any, ...(any.some(isWord) ? { whole_words: true } : {}) } as const,
    })),
  ];
}
