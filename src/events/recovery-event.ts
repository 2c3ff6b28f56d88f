/**
 * One recovery search: at a step after a failure or a stall, which calls the harness tried in replays of the attempt so far, what each of them
 * earned, and which one was carried out.
 */
import * as z from 'zod';

export const recoveryEvent = {
  type: z.literal('recovery'),
  /** The step at which the search was made. */
  step: z.int().min(1),
  /** The result of the step before was an error, or the last steps earned nothing. */
  trigger: z.enum(['error', 'stall']),
  /** The calls of the attempt that each replay makes again, its looks included. */
  prefix: z.int().min(0),
  /** The page at the fork, as the `state` of its evidence names it. */
  state: z.string().optional(),
  /** In the order in which they were tried. The first is the call that the agent made. */
  candidates: z.array(
    z.strictObject({
      /** `agent`: the call that the agent made. `ranker`: a call that the harness proposed. */
      from: z.enum(['agent', 'ranker']),
      tool: z.string(),
      arguments: z.unknown().optional(),
      /** The action that a proposed call was rendered from. */
      canonical: z.unknown().optional(),
      rank: z.strictObject({ score: z.number(), reasons: z.array(z.string()) }).optional(),
      /**
       * `scored`: it was tried. `known`: the same call was tried on the same page before. `diverged`: the replay did not arrive at the page of
       * the fork, so that the call was not made. `failed`: the replay broke off. Only the first two have a score.
       */
      outcome: z.enum(['scored', 'known', 'diverged', 'failed']),
      score: z.number().min(-1).max(1).optional(),
      classification: z.string().optional(),
      verdict: z.enum(['pass', 'fail', 'inconclusive']).optional(),
      /** Why there is no score, as a sentence. */
      reason: z.string().optional(),
      /** Calls that its replay made. They are not steps of the agent. */
      calls: z.int().min(0),
      durationMs: z.number().min(0),
    }),
  ),
  /** The candidate that was carried out, by its place in the list. */
  chosen: z.int().min(0),
  /** The chosen call is not the agent's: the harness has made it instead. */
  substituted: z.boolean(),
  /** Replays of the attempt so far, and how many it may have. */
  replays: z.strictObject({ used: z.int().min(0), limit: z.int().min(1) }),
  /** Of the whole search. The time is not charged to the agent. */
  durationMs: z.number().min(0),
};
