/** The flags that say who grades: of `waymark run`, `waymark grade` and `waymark calibrate`. */
import type { Grader } from '../graders/index.ts';
import type { ModelChoice } from '../models/index.ts';
import { parseModelName } from '../models/named-model.ts';
import type { GradingChoices } from '../runs/tasks.ts';
import type { Flag, FlagValues } from './command.ts';
import { count, dollars } from './number-flag.ts';

export const judgeFlags = {
  'judge-model': {
    type: 'string',
    value: '<kind:id>',
    about: 'the model that judges, where a grader or a question needs one; without it, these are skipped',
  },
  'judge-base-url': {
    type: 'string',
    value: '<address>',
    about: 'where the judge is called; default: as the model, where both are of one kind',
  },
  'judge-key-env': { type: 'string', value: '<name>', about: 'the environment variable that holds the judge’s key' },
  'judge-votes': {
    type: 'string',
    value: '<n>',
    about:
      'ask the judge so often for each verdict, an odd number; the majority decides, and the agreement is reported',
  },
  'max-judge-calls': {
    type: 'string',
    value: '<n>',
    about: 'calls of the judge in all; what is left is an error of grading',
  },
  'max-judge-cost': { type: 'string', value: '<dollars>', about: 'the cost of the judge in all, in US dollars' },
} as const satisfies Record<string, Flag>;

export const graderFlags = {
  grader: {
    type: 'string',
    value: '<name|file,…>',
    about:
      'further graders: the name of one that the tasks have, a kind (answer, trajectory, webvoyager, webjudge, rubric, performance, …), a JSON file with settings, or a module that exports a grader',
  },
  ...judgeFlags,
} as const satisfies Record<string, Flag>;

type Flags = FlagValues<typeof graderFlags>;

/** `same`: a judge of its kind is called at the same address with the same key, unless another address or key is named. */
export function gradingOf(flags: Flags, folder: string, same?: ModelChoice): GradingChoices {
  const maxCalls = count(flags['max-judge-calls'], 'max-judge-calls');
  const maxUsd = dollars(flags['max-judge-cost'], 'max-judge-cost');
  return {
    graders: flags.grader?.split(',') satisfies readonly (string | Grader)[] | undefined,
    folder,
    judge: judgeOf(flags, same),
    votes: count(flags['judge-votes'], 'judge-votes', 99),
    limits: { ...(maxCalls === undefined ? {} : { maxCalls }), ...(maxUsd === undefined ? {} : { maxUsd }) },
  };
}

export function judgeOf(flags: Flags, same?: ModelChoice): ModelChoice | undefined {
  if (flags['judge-model'] === undefined) return undefined;
  const judge = parseModelName(flags['judge-model']);
  const like: Partial<ModelChoice> = judge.kind === same?.kind ? same : {};
  const baseUrl = flags['judge-base-url'] ?? like.baseUrl;
  // The key of one address is not sent to another.
  const isSameAddress = baseUrl === like.baseUrl;
  return { ...judge, baseUrl, keyEnv: flags['judge-key-env'] ?? (isSameAddress ? like.keyEnv : undefined) };
}
