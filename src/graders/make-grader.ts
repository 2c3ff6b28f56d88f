/** From what a case says about a grader to the grader itself. What can't be used is said here, before anything is graded. */
import type { GraderKind, GraderSpec, SpecOf } from '../cases/schemas.ts';
import type { Grader } from './grader.ts';

export interface GraderPlace {
  /** Relative paths in a spec are relative to this: the folder of the task's file. */
  readonly folder: string;
}

type Makers = { readonly [K in GraderKind]: (spec: SpecOf<K>, place: GraderPlace) => Promise<Grader> };

/** Each is loaded when it is used: most runs have none. */
const MAKERS: Makers = {
  contract: async () => (await import('./contract/contract-grader.ts')).contractGrader,
  answer: async (spec) => (await import('./answer/answer-grader.ts')).answerGrader(spec),
  trajectory: async (spec) => (await import('./trajectory/trajectory-grader.ts')).trajectoryGrader(spec),
  network: async (spec) => (await import('./network/network-grader.ts')).networkGrader(spec),
  'state-diff': async (spec) => (await import('./state-diff/state-diff-grader.ts')).stateDiffGrader(spec),
  all: async (spec, place) => (await import('./all/all-grader.ts')).allGrader(spec, (part) => makeGrader(part, place)),
  webvoyager: async (spec) => (await import('./webvoyager/webvoyager-grader.ts')).webvoyagerGrader(spec),
  webjudge: async (spec) => (await import('./webjudge/webjudge-grader.ts')).webjudgeGrader(spec),
  rubric: async (spec) => (await import('./rubric/rubric-grader.ts')).rubricGrader(spec),
  performance: async (spec) => (await import('./performance/performance-grader.ts')).performanceGrader(spec),
  command: async (spec, place) => (await import('./command/command-grader.ts')).commandGrader(spec, place),
  module: async (spec, place) => (await import('./module/module-grader.ts')).moduleGrader(spec, place),
};

export async function makeGrader(spec: GraderSpec, place: GraderPlace): Promise<Grader> {
  const make = MAKERS[spec.grader] as (given: GraderSpec, at: GraderPlace) => Promise<Grader>;
  return await make(spec, place);
}
