/** The task's input shape as JSON Schema, for editors, with a description of each field. */
import { z } from 'zod';
import { parseTask, taskSchema } from '../src/cases/index.ts';

/** A new field does not compile until it has a description here. */
const ABOUT: Record<keyof typeof taskSchema.shape, string> = {
  id: 'Identifies the task; also used as a file name.',
  title: 'The task in a few words, for people.',
  startUrl: 'The page on which every episode starts.',
  goal: 'The instruction for the agent.',
  about: 'What the task tests, for people. The agent does not see it.',
  maxSteps: 'The largest number of calls by the agent.',
  maxDurationMs: 'The longest duration in milliseconds, from start to end. A hanging call is aborted then.',
  success: 'The contract: defines when the task has succeeded, evaluated from what the browser shows.',
  setup: 'How the browser is prepared.',
  tags: 'Words for selecting tasks.',
  network:
    'live (default): the real network; requests that could change something on public hosts are blocked, except on those of allowWrites. replay: only responses from a recording. blocked: only the suite’s own fixture.',
  determinism: 'What is fixed in the pages and their workers: chance, time, place and motion.',
  oracle: 'Path of a transcript that is known to succeed, relative to the task’s file.',
  holdsAtStart: 'Why the contract holds on the start page already. Without it, waymark check takes that for a mistake.',
  quarantine: 'Why the task is not to be relied on for now, and until when. It is run, and counted apart.',
  category: 'The kind of task.',
  expectedFirstTool: 'The tool that a good agent calls first.',
  secrets: 'Names of environment variables that the agent may use. Never values.',
  guardedActions: 'Actions that need approval: a tool or an action, optionally with the element ("click Place order").',
  source: 'What the task was imported from: written by waymark import',
  unsupported: 'By server: why it cannot do this task. Its episodes do not count as failures.',
  graders: 'Further graders, beside the contract.',
  decidedBy: 'The name of the grader whose verdict decides; by default the contract.',
};

const MINIMAL = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };

export function taskJsonSchema(): Record<string, unknown> {
  const { $schema, required = [], properties = {}, ...rest } = z.toJSONSchema(taskSchema, { io: 'input' });
  const parsed = parseTask(MINIMAL);
  if (!parsed.ok) throw new Error(`The minimal task is not valid: ${JSON.stringify(parsed.problems)}`);
  const defaults = new Map(Object.entries(parsed.task).filter(([name]) => !(name in MINIMAL)));
  const described = Object.entries(properties).map(([name, property]) => [
    name,
    {
      description: ABOUT[name as keyof typeof ABOUT],
      ...Object(property),
      ...(defaults.has(name) ? { default: defaults.get(name) } : {}),
    },
  ]);
  return {
    $schema,
    title: 'Waymark task',
    description: 'The start, the goal, the success contract and the limits of an episode.',
    ...rest,
    required: required.filter((name) => !defaults.has(name)),
    properties: Object.fromEntries(described),
  };
}
