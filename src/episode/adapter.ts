/**
 * What an agent is to an episode: somebody who is asked for the next call.
 * An adapter never touches the browser or the server: `Episode.step` does, with budget, evidence and journal.
 */
import { z } from 'zod';
import type { EpisodeTaskSpec } from '../cases/index.ts';
import type { ToolInfo, ToolResult } from '../tools/index.ts';

export const toolCallSchema = z.strictObject({
  tool: z.string().min(1).max(200),
  arguments: z.record(z.string(), z.unknown()).default({}),
});
/** A call in the server's own words. */
export type ToolCall = z.input<typeof toolCallSchema>;

/** What came of a step. With `--until-done`, nothing tells the agent that the contract holds. */
export interface StepOutcome {
  result: ToolResult;
}

export interface AdapterContext {
  /** `secrets`: names that a call may use as `{{secret:NAME}}`. */
  task: Pick<EpisodeTaskSpec, 'id' | 'title' | 'goal' | 'startUrl' | 'maxSteps' | 'secrets'>;
  tools: readonly ToolInfo[];
  /** What came of the last call; undefined at the first. */
  last: StepOutcome | undefined;
  /** Steps taken so far. */
  steps: number;
  /** Ends with the episode. */
  signal: AbortSignal;
  /** A call that only finds something out for the agent (a snapshot to find a ref): journalled as the harness's, no step. */
  locate(call: ToolCall): Promise<ToolResult>;
}

export const nextMoveSchema = z.union([
  /** `note`: why the agent gives up, for the report (a server that can't do what the transcript asks). */
  z.strictObject({ done: z.literal(true), answer: z.string().optional(), note: z.string().optional() }),
  /** `canonical`: the action that the call was rendered from, for the journal. */
  toolCallSchema.extend({ canonical: z.unknown().optional() }),
]);
export type NextMove = z.input<typeof nextMoveSchema>;

export interface Adapter {
  readonly kind: string;
  next(context: AdapterContext): Promise<NextMove>;
}
