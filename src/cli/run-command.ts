/** `waymark run`: an agent on browser tasks, or a model on the questions of a dataset, here or on a Waymark server. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand, type FlagValues } from './command.ts';
import { readDefaults } from './config.ts';
import { interruptible } from './interruptible.ts';
import { runFlags } from './run-flags.ts';

export const runCommand = defineCommand({
  name: 'run',
  about: [
    'runs an agent on browser tasks, or asks a model (--model) the questions of a dataset, and reports what passed.',
    'Writes journals and reports into a folder. With --api, a Waymark server runs its own dataset instead, and this command waits until it is scored.',
    'Exit code for tasks: 0 all passed, 1 some did not. For questions: 0 every item was answered and scored, right or wrong; 1 an item has no answer or no score.',
    'For both: 2 wrong usage or bad files, 3 the harness failed or the run was stopped.',
  ].join('\n'),
  operands: {
    label: '<tasks…|dataset>',
    about:
      'task files (.json, .jsonl, .ts) or folders of them, or one suite file (.suite.json); default: those of waymark.config.ts; with --model, one dataset (.jsonl, .eval752.zip)',
  },
  flags: runFlags,
  renamed: { 'open-gates': 'allow-guarded' },
  examples: [
    { line: 'waymark run tasks/', does: 'all tasks of a folder, by their oracle transcripts, on the embedded tools' },
    {
      line: 'waymark run tasks/ --server playwright --concurrency 4',
      does: 'the same through @playwright/mcp, four at a time',
    },
    {
      line: 'waymark run tasks/ --agent single --model openai:gpt-5-mini --max-cost 0.5',
      does: 'a model as the agent; its key is in OPENAI_API_KEY',
    },
    { line: 'waymark run tasks/ --task checkout --trials 5', does: 'one task five times' },
    {
      line: 'waymark run tasks/ --out runs/today',
      does: 'the same command after a kill or Ctrl-C continues: finished attempts are kept; those that were cut off, or ended by a fault that was not the agent’s, are made again',
    },
    {
      line: 'waymark run tasks/ --sample 20 --seed 7 --trials 3 --preview',
      does: 'what this would run, and what it may cost at most; nothing is started',
    },
    {
      line: 'waymark run tasks/ --shard 1/4 --retries 2 --reporter junit=results.xml,github',
      does: 'in CI: one part of four, faults tried again, a test report and a step summary',
    },
    {
      line: 'waymark run tasks/ --trials 10 --database env --artifacts s3://team/waymark',
      does: 'on all machines where waymark worker runs with the same database; see docs/how-to/many-machines.md',
    },
    {
      line: 'waymark run questions.jsonl --model openai:gpt-5-mini --judge-model openai:gpt-5',
      does: 'ask a model; its key is in OPENAI_API_KEY',
    },
    {
      line: 'waymark run questions.jsonl --model ollama:llama3.2 --max-items 20',
      does: 'a model on this machine, the first 20 items',
    },
    {
      line: 'waymark run Questions --api http://127.0.0.1:7520/ --provider OpenAI --model gpt-5-mini',
      does: 'a dataset and a provider that a Waymark server knows',
    },
  ],
  async run(flags, terminal, given) {
    const defaults = flags.api === undefined ? await readDefaults(flags.config, given, terminal.cwd) : undefined;
    const operands = defaults?.operands ?? given;
    const kind = kindOf(flags, operands, terminal.cwd);
    refuseOthers(flags, kind);
    if (flags.api !== undefined) {
      // Loads the server and the database, which a run in a folder does not need.
      const { runOnServer } = await import('./run-on-server.ts');
      return runOnServer({ ...flags, api: flags.api }, terminal, operands);
    }
    // Before anything is waited for: a signal that came while this was loaded stops the run, which still writes its report.
    // Below the live line, where there is one.
    const say = (line: string) => flags.json || terminal.err(`${terminal.screen ? '\n' : ''}${line}\n`);
    using interruption = interruptible(say);
    const { signal } = interruption;
    if (kind === 'questions') {
      const { runQuestions } = await import('./run-questions.ts');
      return await runQuestions({ ...flags, model: flags.model ?? '' }, terminal, operands, signal);
    }
    const whole = { ...defaults?.flags, ...flags };
    try {
      if (whole.database !== undefined) {
        const { runOnWorkers } = await import('./run-on-workers.ts');
        return await runOnWorkers({ ...whole, database: whole.database }, terminal, operands, signal);
      }
      refuseWithoutDatabase(whole);
      if (flags.watch) return await (await import('./watch-tasks.ts')).watchTasks(whole, terminal, operands, signal);
      return await (await import('./run-tasks.ts')).runTasks(whole, terminal, operands, signal);
    } catch (thrown) {
      const { datasetWithoutModel } = await import('./dataset-without-model.ts');
      throw await datasetWithoutModel(thrown, operands, terminal.cwd);
    }
  },
});

type Kind = 'tasks' | 'questions' | 'server';

/** A model is asked the questions of one dataset; with an agent, or on a folder or several files, it operates the browser. */
function kindOf({ api, model, agent }: FlagValues<typeof runFlags>, operands: readonly string[], cwd: string): Kind {
  if (api !== undefined) return 'server';
  if (model === undefined || agent !== undefined) return 'tasks';
  return operands.length > 0 && operands.every((place) => isTasks(path.resolve(cwd, place))) ? 'tasks' : 'questions';
}

function isTasks(place: string): boolean {
  if (/\.(?:json|ts)$/.test(place)) return true;
  return statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}

type FlagName = keyof typeof runFlags;

function refuseWithoutDatabase(flags: FlagValues<typeof runFlags>): void {
  const given = (['artifacts', 'worker-labels', 'detach'] as const).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new WaymarkError({
    code: 'usage_unknown_flag',
    message: `--${given} has no effect on a run of tasks without --database.`,
    hint: 'See: waymark run --help',
  });
}

/** Which kinds of runs take a flag; those that are not listed are for tasks alone. */
const TAKEN_BY: Partial<Record<FlagName, readonly Kind[]>> = {
  concurrency: ['tasks', 'questions', 'server'],
  json: ['tasks', 'questions', 'server'],
  out: ['tasks', 'questions'],
  resume: ['tasks', 'questions'],
  new: ['tasks', 'questions'],
  model: ['tasks', 'questions', 'server'],
  'base-url': ['tasks', 'questions'],
  'key-env': ['tasks', 'questions'],
  temperature: ['tasks', 'questions', 'server'],
  'max-tokens': ['tasks', 'questions', 'server'],
  system: ['questions', 'server'],
  sections: ['questions', 'server'],
  'max-items': ['questions', 'server'],
  rate: ['questions', 'server'],
  'judge-model': ['questions', 'server'],
  'judge-base-url': ['questions'],
  'judge-key-env': ['questions'],
  api: ['server'],
  provider: ['server'],
  judge: ['server'],
  label: ['server'],
  detach: ['tasks', 'server'],
};

const ABOUT: Readonly<Record<Kind, string>> = {
  tasks: 'a run of tasks',
  questions: 'a run of questions (--model)',
  server: 'a run on a Waymark server (--api)',
};

/** A flag that has no effect would be a mistake that is noticed late. */
function refuseOthers(flags: FlagValues<typeof runFlags>, kind: Kind): void {
  for (const name of Object.keys(flags)) {
    if (!Object.hasOwn(runFlags, name)) continue;
    const kinds = TAKEN_BY[name as FlagName] ?? ['tasks'];
    if (kinds.includes(kind)) continue;
    throw new WaymarkError({
      code: 'usage_unknown_flag',
      message: `--${name} is for ${kinds.map((one) => ABOUT[one]).join(' or ')}, and this is ${ABOUT[kind]}.`,
      hint: 'See: waymark run --help',
    });
  }
}
