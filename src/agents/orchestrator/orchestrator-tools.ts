/** The tools of an orchestrator. None of them reaches the browser. */
import { z } from 'zod';
import { executorIdSchema } from '../../events/index.ts';
import type { DescribedTool } from '../../models/index.ts';

export const delegateInput = z.strictObject({
  instruction: z.string().min(1).describe('What to do, in full: the executor knows the task, but not your thoughts'),
  executorId: executorIdSchema
    .optional()
    .describe(
      'Default: main, whose tab shows the start page. A new name is a new executor, with a blank tab of its own',
    ),
  maxSteps: z.int().min(1).max(100).optional().describe('The most calls of browser tools that it may make'),
});
export const completeInput = z.strictObject({ answer: z.string().describe('The final answer to the user') });
export const failInput = z.strictObject({ reason: z.string().describe('Why the goal cannot be reached') });

const tool = (name: string, description: string, input: z.ZodType): DescribedTool => ({
  name,
  description,
  inputSchema: z.toJSONSchema(input),
});

export const ORCHESTRATOR_TOOLS: readonly DescribedTool[] = [
  tool(
    'delegate',
    'Gives an instruction to an executor, who operates a browser tab of its own, and returns its report. Several calls in one reply are carried out at the same time by different executors. An executor remembers what it did, and goes on in its tab.',
    delegateInput,
  ),
  tool('complete', 'Ends the task: the goal is reached.', completeInput),
  tool('fail', 'Ends the task: the goal cannot be reached.', failInput),
];

export const ORCHESTRATOR_INSTRUCTIONS = [
  'You plan how to reach a goal on the web. You have no browser: executors have. Tell them what to do with `delegate`, read their reports, and decide what comes next.',
  'A report may be wrong: ask for the values that prove what it says. When an executor is blocked, tell it another way or ask another executor.',
  'When the goal is reached, call `complete` with the answer; where the goal asks a question, answer it exactly and briefly. When it cannot be reached, call `fail`.',
].join('\n');
