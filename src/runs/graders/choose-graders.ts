/** Which graders an attempt gets: those that its case names, or those that were asked for. Everything that can't be used is said before anything is graded. */
import path from 'node:path';
import { canonicalHash, GRADER_KINDS, type GraderSpec, graderSpecSchema, nameOfSpec } from '../../cases/index.ts';
import { sentenceOf } from '../../errors/index.ts';
import { type AttemptReader, type Grader, makeGrader } from '../../graders/index.ts';
import type { CaseGraders, GraderChoices } from './grader-choices.ts';
import { badGrader, isSpecFile, readSpec } from './grader-spec-file.ts';

export type GradersOf = (attempt: AttemptReader) => readonly Grader[];

/** @throws where a grader is unknown or can't be used; nothing has been graded then. */
export async function chooseGraders(cases: readonly CaseGraders[], choices: GraderChoices): Promise<GradersOf> {
  const made = new Map<string, Promise<Grader>>();
  const make = (spec: GraderSpec, folder: string): Promise<Grader> => {
    const key = canonicalHash({ spec, folder });
    const grader = made.get(key) ?? makeGrader(spec, { folder });
    made.set(key, grader);
    return grader;
  };
  const chosen = (choices.graders ?? []).map((given) => {
    if (typeof given !== 'string') return () => given;
    const { name, spec } = wanted(given, cases, choices.folder);
    return ({ graders = [], folder }: CaseGraders) => {
      const own = graders.find((one) => nameOfSpec(one) === name);
      return own ? make(own, folder) : spec && make(spec, choices.folder);
    };
  });
  const isOwn = choices.graders === undefined || choices.ownToo === true;
  const ownOf = ({ graders = [], folder }: CaseGraders) =>
    graders.filter(({ grader }) => grader !== 'contract').map((spec) => make(spec, folder));
  const byCase = new Map<string, readonly Grader[]>();
  for (const one of cases) {
    const graders = await Promise.all([...(isOwn ? ownOf(one) : []), ...chosen.map((choose) => choose(one))]);
    const named = new Map(graders.filter((grader) => grader !== undefined).map((grader) => [grader.name, grader]));
    byCase.set(one.id, [...named.values()]);
  }
  return ({ ref }) => byCase.get(ref.caseId) ?? [];
}

interface Wanted {
  readonly name: string;
  /** For cases that have no grader of this name; undefined: they get none. */
  readonly spec: GraderSpec | undefined;
}

function wanted(given: string, cases: readonly CaseGraders[], folder: string): Wanted {
  const file = path.resolve(folder, given);
  if (isSpecFile(given)) return asWanted(readSpec(file));
  // Not by the name of its kind: that of a case's own module would be taken instead.
  if (/\.[cm]?[jt]s$/.test(given)) return { name: given, spec: { grader: 'module', file } };
  const isNamed = cases.some(({ graders = [] }) => graders.some((spec) => nameOfSpec(spec) === given));
  const isKind = (GRADER_KINDS as readonly string[]).includes(given);
  const parsed = graderSpecSchema.safeParse({ grader: given });
  if (parsed.success) return asWanted(parsed.data);
  if (isNamed) return { name: given, spec: undefined };
  if (isKind) {
    throw badGrader(
      `The grader "${given}" needs settings, and no case has any: ${sentenceOf(parsed.error)}`,
      'Name it in the task’s "graders", or give a JSON file with its settings.',
    );
  }
  const names = new Set([...GRADER_KINDS, ...cases.flatMap(({ graders = [] }) => graders.map(nameOfSpec))]);
  throw badGrader(`There is no grader "${given}".`, `There are: ${[...names].join(', ')}; or give a file.`);
}

function asWanted(spec: GraderSpec): Wanted {
  return { name: nameOfSpec(spec), spec };
}
