/** Which runs can be compared with each other. The server has the last word: it knows their cases. */
import type { AnyRun } from '../api/queries.ts';

type Compared = Pick<AnyRun, 'kind' | 'place' | 'suite'>;

/** Questions of the database are compared item by item within one version of a dataset; all others as `waymark compare` does. */
export function isOfDataset({ kind, place }: Compared): boolean {
  return kind !== 'agent' && place === 'database';
}

/** Undefined where nothing speaks against it. */
export function whyNotComparable(a: Compared, b: Compared): string | undefined {
  if ((a.kind === 'agent') !== (b.kind === 'agent'))
    return 'One of these is of questions and the other of an agent’s tasks, so they can’t be compared.';
  if (isOfDataset(a) !== isOfDataset(b))
    return 'One of these is of a stored dataset and the other in a folder, so they can’t be compared.';
  if (isOfDataset(a) && (a.suite.id !== b.suite.id || a.suite.hash !== b.suite.hash))
    return "These two are not of the same version of one dataset, so they can't be compared.";
  return undefined;
}
