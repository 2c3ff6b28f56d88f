/** From what a case says about a grader to the grader itself. What can't be used is said here, before anything is graded. */
import type { GraderKind, GraderSpec, SpecOf } from '../cases/schemas.ts';
import { WaymarkError } from '../errors/index.ts';
import { allGrader } from './all/all-grader.ts';
import { answerGrader } from './answer/answer-grader.ts';
import { commandGrader } from './command/command-grader.ts';
import { contractGrader } from './contract/contract-grader.ts';
import type { Grader } from './grader.ts';
import { moduleGrader } from './module/module-grader.ts';
import { networkGrader } from './network/network-grader.ts';
import { performanceGrader } from './performance/performance-grader.ts';
import { rubricGrader } from './rubric/rubric-grader.ts';
import { stateDiffGrader } from './state-diff/state-diff-grader.ts';
import { trajectoryGrader } from './trajectory/trajectory-grader.ts';
import { webjudgeGrader } from './webjudge/webjudge-grader.ts';
import { webvoyagerGrader } from './webvoyager/webvoyager-grader.ts';

export interface GraderPlace {
  /** Relative paths in a spec are relative to this: the folder of the task's file. */
  readonly folder: string;
}

type Makers = { readonly [K in GraderKind]?: (spec: SpecOf<K>, place: GraderPlace) => Grader | Promise<Grader> };

const MAKERS: Makers = {
  contract: () => contractGrader,
  webvoyager: webvoyagerGrader,
  webjudge: webjudgeGrader,
  rubric: rubricGrader,
  performance: performanceGrader,
  trajectory: trajectoryGrader,
  answer: answerGrader,
  all: (spec, place) => allGrader(spec, (part) => makeGrader(part, place)),
  network: networkGrader,
  'state-diff': stateDiffGrader,
  command: commandGrader,
  module: (spec, place) => moduleGrader(spec, place),
};

export async function makeGrader(spec: GraderSpec, place: GraderPlace): Promise<Grader> {
  const make = MAKERS[spec.grader] as ((given: GraderSpec, at: GraderPlace) => Grader | Promise<Grader>) | undefined;
  if (!make) throw new WaymarkError({ code: 'usage_bad_value', message: `There is no grader "${spec.grader}".` });
  return await make(spec, place);
}
