/** The choices of a run that workers can make again from JSON, and the names of the secrets that they need for it. Never a secret's value. */
import { presetKeyVariable } from '../../agents/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { keyVariableOf } from '../../models/index.ts';
import { isAgentFile } from '../agent-file.ts';
import type { TaskChoices } from '../resolve-tasks.ts';

/** All others are refused, or are of the machine that the run is made on (where the files are, which tasks are chosen). */
const TRAVELLING = [
  'agent',
  'external',
  'model',
  'orchestratorModel',
  'executorModel',
  'imageModel',
  'observe',
  'temperature',
  'contextTokens',
  'maxTokens',
  'maxCost',
  'maxRunTokens',
  'maxRunCost',
  'retries',
  'retryOn',
  'allowUnknownCost',
  'server',
  'trials',
  'browser',
  'isolation',
  'headed',
  'freshServer',
  'untilDone',
  'screenshots',
  'allowGuarded',
  'recoveryReplays',
  'variant',
  'experiment',
] as const satisfies readonly (keyof TaskChoices)[];

/** @throws where something was chosen that workers can't do. */
export function travellingChoices(choices: TaskChoices): Record<string, unknown> {
  refuse(choices);
  const { judge, votes, limits, graders = [] } = choices.grading ?? {};
  const given = TRAVELLING.flatMap((name) => (choices[name] === undefined ? [] : [[name, choices[name]] as const]));
  return {
    ...Object.fromEntries(given),
    ...(judge === undefined && graders.length === 0 ? {} : { grading: { judge, votes, limits, graders } }),
  };
}

/** Environment variables that every attempt of the run needs, or its grading. */
export function neededVariables(choices: TaskChoices): string[] {
  const { model, orchestratorModel, executorModel, imageModel, grading, external } = choices;
  const models = [model, orchestratorModel, executorModel, imageModel, grading?.judge];
  const keys = models.flatMap((one) => (one === undefined ? [] : (keyVariableOf(one) ?? [])));
  const { preset, keyEnv = preset === undefined ? undefined : presetKeyVariable(preset) } = external ?? {};
  return [...new Set([...keys, ...(keyEnv == null ? [] : [keyEnv])])];
}

function refuse({ agent, grading, server }: TaskChoices): void {
  if (agent !== undefined && (typeof agent !== 'string' || isAgentFile(agent)))
    throw usage('An agent that is a file or an object does not travel to workers.', 'Choose an agent by its name.');
  if ((grading?.graders ?? []).some((given) => typeof given !== 'string'))
    throw usage('A grader that is an object does not travel to workers.', 'Give its name, or the file of its module.');
  const given = typeof server === 'object' ? server : {};
  for (const field of ['env', 'headers'] as const) {
    const values = Object.entries(field in given ? (Reflect.get(given, field) ?? {}) : {});
    const told = values.find(([, value]) => !/^\{\w+\}$/.test(String(value)));
    if (told)
      throw usage(
        `The configuration of the server has a value for "${told[0]}" in its ${field}, which would travel to the database with the run.`,
        'Configure the server so that it reads it on the machine of the worker.',
      );
  }
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message: `${message} Nothing was run.`, hint });
}
