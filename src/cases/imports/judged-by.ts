/** How the verdict of a task comes about: the kinds of graders that decide, and the judges beside them. */
import { type GraderKind, type GraderSpec, nameOfSpec } from '../graders/grader-spec.ts';

export interface JudgedBy {
  readonly by: readonly GraderKind[];
  readonly beside: readonly GraderKind[];
}

const JUDGES: ReadonlySet<GraderKind> = new Set(['webvoyager', 'webjudge', 'rubric', 'performance']);

export function judgedBy({
  graders = [],
  decidedBy = 'contract',
}: {
  readonly graders?: readonly GraderSpec[] | undefined;
  readonly decidedBy?: string | undefined;
}): JudgedBy {
  const specOf = (name: string): GraderSpec | undefined => graders.find((spec) => nameOfSpec(spec) === name);
  const decides = specOf(decidedBy);
  const names = decides?.grader === 'all' ? decides.of : [decidedBy];
  const by = [...new Set(names.map((name) => specOf(name)?.grader ?? 'contract'))];
  const judges = graders.map(({ grader }) => grader).filter((kind) => JUDGES.has(kind) && !by.includes(kind));
  return { by, beside: [...new Set(judges)] };
}

/** `by the contract and the answer`, `by a judge (webjudge)`. */
export function judgedByText({ by, beside }: JudgedBy): string {
  const [first] = by;
  const decided =
    first !== undefined && JUDGES.has(first) ? `by a judge (${by.join(', ')})` : `by ${by.map(nameOf).join(' and ')}`;
  return beside.length === 0 ? decided : `${decided}, with a judge beside it (${beside.join(', ')})`;
}

const NAMES: Partial<Record<GraderKind, string>> = {
  contract: 'the contract',
  answer: 'the answer',
  network: 'the requests',
  'state-diff': 'the state of the application',
};

function nameOf(kind: GraderKind): string {
  return NAMES[kind] ?? `the grader ${kind}`;
}
