/** The flags of `waymark run` that say how the chosen tasks are run: retries, ends, reporters. */
import { WaymarkError } from '../errors/index.ts';
import { AGENT_OUTCOMES, FAULT_OUTCOMES, type OutcomeClass } from '../metrics/index.ts';
import type { TaskChoices } from '../runs/tasks.ts';
import type { Flag, FlagValues } from './command.ts';
import { wholeNumber } from './number-flag.ts';

/** What may be tried again. */
const CLASSES: readonly OutcomeClass[] = [...AGENT_OUTCOMES, ...FAULT_OUTCOMES].filter((one) => one !== 'passed');

export const executingFlags = {
  config: {
    type: 'string',
    value: '<file>',
    about: 'defaults for these flags; default: waymark.config.ts in the working folder, where there is one',
  },
  new: {
    type: 'boolean',
    about: 'begin a new run; without it, the same command continues a run of these inputs that has not finished',
  },
  retries: {
    type: 'string',
    value: '<n>',
    about: 'further attempts after a fault of the environment or the tool server; earlier attempts stay; default 0',
  },
  'retry-on': {
    type: 'string',
    isList: true,
    value: '<class,…>',
    about: 'with --retries: outcome classes that are tried again too, such as failed, timeout, blocked_by_site',
  },
  'retry-failed': {
    type: 'boolean',
    about:
      'with --resume: also try again what the agent did not pass, not only what ended by a fault; earlier attempts stay, and the last one counts',
  },
  'fail-fast': {
    type: 'boolean',
    about: 'begin nothing new after the first episode that did not pass; the same command continues the run',
  },
  headed: { type: 'boolean', about: 'show the browser: a full Chrome with windows, on a machine with a display' },
  watch: {
    type: 'boolean',
    about: 'run the tasks, then wait: tasks whose files change are run again, each time as a new run; Ctrl-C ends it',
  },
  reporter: {
    type: 'string',
    isList: true,
    value: '<name[=file],…>',
    about:
      'line (one live line; default at a terminal), list (a line per episode; default elsewhere), junit, github (step summary), json, html; several may be given, those that make a document with a file: junit=results.xml',
  },
} as const satisfies Record<string, Flag>;

export function retriesOf(
  flags: FlagValues<typeof executingFlags> & { resume?: boolean | undefined },
): Pick<TaskChoices, 'retries' | 'retryOn'> {
  if (flags['retry-failed'] && !flags.resume)
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: '--retry-failed is for a run that is there already.',
      hint: 'Add --resume, with the folder of the run or --out <folder>.',
    });
  const retries = wholeNumber(flags.retries, 'retries');
  const given = flags['retry-on']?.split(',');
  if (given !== undefined && !retries)
    throw new WaymarkError({ code: 'usage_bad_value', message: '--retry-on has no effect without --retries <n>.' });
  return { retries, retryOn: given?.map(classOf) };
}

function classOf(name: string): OutcomeClass {
  const known = CLASSES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `--retry-on takes outcome classes, but got "${name}".`,
    hint: `There are: ${CLASSES.join(', ')}.`,
  });
}
