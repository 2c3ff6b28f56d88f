/** The graders that a case may name, each with its settings. What they do is in graders/. */
import * as z from 'zod';
import { allSpecSchema } from './all-spec.ts';
import { answerSpecSchema } from './answer-spec.ts';
import { commandSpecSchema, moduleSpecSchema } from './code-specs.ts';
import { graderNameSchema } from './grader-name.ts';
import { performanceSpecSchema, rubricSpecSchema, webjudgeSpecSchema, webvoyagerSpecSchema } from './judge-specs.ts';
import { networkSpecSchema } from './network-spec.ts';
import { furtherNameProblem } from './question-grade.ts';
import { stateDiffSpecSchema } from './state-diff-spec.ts';
import { trajectorySpecSchema } from './trajectory-spec.ts';

/** The success contract; every task has it, and need not name it. */
const contractSpecSchema = z.strictObject({ grader: z.literal('contract') });

export const graderSpecSchema = z.discriminatedUnion('grader', [
  contractSpecSchema,
  answerSpecSchema,
  trajectorySpecSchema,
  networkSpecSchema,
  stateDiffSpecSchema,
  allSpecSchema,
  webvoyagerSpecSchema,
  webjudgeSpecSchema,
  rubricSpecSchema,
  performanceSpecSchema,
  commandSpecSchema,
  moduleSpecSchema,
]);
export type GraderSpec = z.infer<typeof graderSpecSchema>;
export type GraderKind = GraderSpec['grader'];
export type SpecOf<K extends GraderKind> = Extract<GraderSpec, { grader: K }>;

export const GRADER_KINDS = graderSpecSchema.options.map(({ shape }) => shape.grader.value);

/** What a case and a suite say about grading. */
export const gradingFields = {
  /** Beside the contract, which is always there. */
  graders: z.array(graderSpecSchema).max(20).optional(),
  /** The name of the grader whose verdict decides; by default the contract. */
  decidedBy: graderNameSchema.optional(),
};

/** The name that the grade is kept under. */
export function nameOfSpec(spec: GraderSpec): string {
  return ('name' in spec ? spec.name : undefined) ?? spec.grader;
}

/** They read the agent's answer, or are the user's code, which may. */
const READ_THE_ANSWER: ReadonlySet<GraderKind> = new Set(['answer', 'webvoyager', 'rubric', 'command', 'module']);

/** Whether an attempt must go on until the agent says that it is done, though the contract holds: another grader decides, or reads its answer. */
export function runsUntilDone({
  graders = [],
  decidedBy,
}: {
  graders?: readonly GraderSpec[] | undefined;
  decidedBy?: string | undefined;
}): boolean {
  return (decidedBy ?? 'contract') !== 'contract' || graders.some(({ grader }) => READ_THE_ANSWER.has(grader));
}

/** A sentence for each thing that is wrong between the fields. */
export function gradingProblems(given: {
  graders?: readonly GraderSpec[] | undefined;
  decidedBy?: string | undefined;
}): { path: PropertyKey[]; message: string }[] {
  const problems: { path: PropertyKey[]; message: string }[] = [];
  const names = new Set(['contract']);
  for (const [index, spec] of (given.graders ?? []).entries()) {
    // Its grades have the name that the file says, which is not known here.
    if (spec.grader === 'module' && spec.name === undefined) continue;
    const name = nameOfSpec(spec);
    const taken = furtherNameProblem(name);
    if (taken !== undefined) problems.push({ path: ['graders', index], message: taken });
    if (spec.grader !== 'contract' && names.has(name))
      problems.push({
        path: ['graders', index],
        message: `is a second grader with the name "${name}"; give one of them another "name"`,
      });
    names.add(name);
  }
  for (const [index, spec] of (given.graders ?? []).entries()) {
    if (spec.grader !== 'all') continue;
    const wrong = spec.of.find((name) => !canBePart(name, given.graders ?? []));
    if (wrong === undefined) continue;
    const message = `names "${wrong}"; name graders of the case that ask no model and are no "all"`;
    problems.push({ path: ['graders', index, 'of'], message });
  }
  const { decidedBy } = given;
  const hasUnnamed = given.graders?.some((spec) => spec.grader === 'module' && spec.name === undefined) === true;
  const hint = hasUnnamed ? '; a module that decides needs a "name" here' : '';
  if (decidedBy !== undefined && !names.has(decidedBy))
    problems.push({
      path: ['decidedBy'],
      message: `names "${decidedBy}", and the case has no such grader; there are ${[...names].join(', ')}${hint}`,
    });
  return problems;
}

/** A judge is never mixed with facts into one verdict. */
const NO_PARTS: ReadonlySet<GraderKind> = new Set(['all', 'webvoyager', 'webjudge', 'rubric', 'performance']);

function canBePart(name: string, graders: readonly GraderSpec[]): boolean {
  const spec = graders.find((one) => nameOfSpec(one) === name);
  return spec ? !NO_PARTS.has(spec.grader) : name === 'contract';
}
