/** A grader that is given by a JSON file with its settings. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type GraderKind, type GraderSpec, graderSpecSchema } from '../../cases/index.ts';
import { messageOf, sentenceOf, WaymarkError } from '../../errors/index.ts';
import type { GraderChoices } from './grader-choices.ts';

/** Kinds whose evidence is recorded while the attempt runs, as far as their rules need it. */
const RECORDED: ReadonlySet<GraderKind> = new Set(['network', 'state-diff']);

/** Of graders that were asked for by files: those that must be part of a task before it is run. */
export function recordedGraders({ graders = [], folder }: GraderChoices): GraderSpec[] {
  return graders
    .filter((given) => typeof given === 'string' && isSpecFile(given))
    .map((given) => readSpec(path.resolve(folder, given as string)))
    .filter(({ grader }) => RECORDED.has(grader));
}

export function isSpecFile(given: string): boolean {
  return given.endsWith('.json');
}

export function readSpec(file: string): GraderSpec {
  if (!existsSync(file)) throw badGrader(`${file} is not there.`, 'Give a JSON file with the settings of a grader.');
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw badGrader(`${file} is no JSON: ${messageOf(error)}`);
  }
  const parsed = graderSpecSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw badGrader(`${file} has no settings of a grader: ${sentenceOf(parsed.error)}`, 'See docs/reference/graders.md.');
}

export function badGrader(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_grader', message, ...(hint === undefined ? {} : { hint }) });
}
