/** The task's shape as JSON Schema, for editors: what a person may write, with what each field is for. */
import { z } from 'zod';
import { parseTask, taskSchema } from '../src/cases/index.ts';

/** A new field does not compile until it is described here. */
const ABOUT: Record<keyof typeof taskSchema.shape, string> = {
  id: 'Names the task; it becomes a file name.',
  title: 'The task in a few words, for people.',
  startUrl: 'The page that every episode begins with.',
  goal: 'What the agent is told.',
  maxSteps: 'Calls of the agent, at most.',
  maxDurationMs: 'Milliseconds from the start to the end, at most. A call that hangs is cut off here.',
  success: 'The contract: when the task has succeeded, judged from what the browser shows.',
  setup: 'How the browser is prepared.',
  tags: 'Words to choose tasks by.',
  network:
    'live (default): the network as it is. replay: answers from a recording, nothing else. blocked: only the suite’s own fixture.',
  oracle: 'Path of a transcript that is known to succeed, from the task’s file.',
  category: 'What kind of task it is.',
  expectedFirstTool: 'The tool that a good agent calls first.',
  secrets: 'Names of environment variables that the agent may use. Never values.',
  guardedActions:
    'Actions that need approval: a tool or an action, and the element where only some are meant ("click Place order").',
  unsupported: 'By server: why it can’t do this task. Its episodes are told apart from failures.',
};

const MINIMAL = { id: 'a', title: 'a', startUrl: 'about:blank', goal: 'a', success: { kind: 'no_dialog' } };

export function taskJsonSchema(): Record<string, unknown> {
  const { $schema, required = [], properties = {}, ...rest } = z.toJSONSchema(taskSchema);
  const parsed = parseTask(MINIMAL);
  if (!parsed.ok) throw new Error(`The minimal task is none: ${JSON.stringify(parsed.problems)}`);
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
    description: 'Where an episode starts, what it is for, when it has succeeded, and what it may cost.',
    ...rest,
    required: required.filter((name) => !defaults.has(name)),
    properties: Object.fromEntries(described),
  };
}
