/** Foreign agents as programs: the choice of one for a run. */
import type { Agent } from '../../episode/index.ts';
import { type ExternalPlace, external } from './external.ts';
import { checkOptions, type ExternalOptions } from './external-options.ts';

export { type ExternalOptions, externalOptionsSchema, presetKeyVariable } from './external-options.ts';

export interface ExternalChoice {
  readonly kind: 'external';
  /** What has a say in results; names of variables, never their values. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Variables whose values it is given. */
  readonly keyVariables: readonly string[];
  make(task: unknown, place: ExternalPlace): Agent;
}

/**
 * @example
 * const agent = externalAgent({ preset: 'gemini', model: 'gemini-3-flash', keyEnv: 'GEMINI_API_KEY' }, process.env);
 * const run = await resolveRun({ tasks: ['tasks/'], agent, version });
 */
export function externalAgent(
  given: ExternalOptions,
  env: Readonly<Record<string, string | undefined>>,
): ExternalChoice {
  const options = checkOptions(given, env);
  const { presetOf, command: _, ...rest } = options;
  const config = {
    ...rest,
    // As it was given: the same command on another machine is the same configuration.
    command: given.command ?? [presetOf?.command],
    ...(presetOf
      ? { testedWith: presetOf.package, ownTools: { off: presetOf.toolsOff, left: presetOf.toolsLeft } }
      : { ownTools: 'unknown' }),
  };
  const { keyEnv, passEnv = [] } = options;
  const keyVariables = keyEnv === undefined ? passEnv : [keyEnv, ...passEnv];
  return { kind: 'external', config, keyVariables, make: (_task, place) => external(options, config, place) };
}
