/** Where facts and a judge both have a say: the facts decide and the judge stands beside them, because one verdict never mixes the two. */
import type { GraderSpec } from '../graders/grader-spec.ts';
import { nameOfSpec } from '../graders/grader-spec.ts';
import type { RubricCriterion, RubricSpec } from '../graders/judge-specs.ts';

export interface Grading {
  graders?: GraderSpec[];
  decidedBy?: string;
}

/** `hasContract`: the contract is one of the facts, and not only the wait for an answer. */
export function gradingOf(facts: readonly GraderSpec[], judges: readonly GraderSpec[], hasContract: boolean): Grading {
  const names = [...(hasContract ? ['contract'] : []), ...facts.map(nameOfSpec)];
  const [first = judges[0] ? nameOfSpec(judges[0]) : 'contract', second] = names;
  const all: GraderSpec[] = second === undefined ? [] : [{ grader: 'all', of: names }];
  const graders = [...facts, ...all, ...judges];
  if (graders.length === 0) return {};
  return { graders, decidedBy: all.length > 0 ? 'all' : first };
}

/** A rubric whose criteria must all be met. */
export function rubricOf(descriptions: readonly string[]): RubricSpec {
  const criteria = descriptions.map(
    (description, index): RubricCriterion => ({
      id: `criterion-${index + 1}`,
      description,
      about: 'outcome',
      weight: 1,
      required: true,
    }),
  );
  return { grader: 'rubric', criteria };
}
