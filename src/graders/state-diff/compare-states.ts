/** Criteria on a state: what each query finds, and whether it is what is expected. */
import { isDeepStrictEqual } from 'node:util';
import type { StateDiffSpec } from '../../cases/schemas.ts';
import { jmespathQuery, type QueryResult } from './jmespath-query.ts';

type Criterion = StateDiffSpec['criteria'][number];

/** `strict`: equal, types included. `softened`: the expected text is part of the text that was found, whatever their case. */
export type Match = 'strict' | 'softened' | 'none';

export interface CriterionResult {
  readonly criterion: Criterion;
  readonly found: QueryResult;
  readonly match: Match;
}

export type CriterionCheck = (root: unknown) => CriterionResult;

/** @throws where the query can't be used. */
export function criterionCheck(criterion: Criterion): CriterionCheck {
  const query = jmespathQuery(criterion.query);
  return (root) => {
    const found = query(root);
    return { criterion, found, match: 'problem' in found ? 'none' : matchOf(criterion.expected, found.value) };
  };
}

function matchOf(expected: unknown, actual: unknown): Match {
  if (isDeepStrictEqual(actual, expected)) return 'strict';
  const isPart =
    typeof expected === 'string' && typeof actual === 'string' && actual.toLowerCase().includes(expected.toLowerCase());
  return isPart ? 'softened' : 'none';
}
