/** The first event: what was run, on what, and by which rules it is evaluated. A task and a question begin differently. */
import * as z from 'zod';

/**
 * Raised when a reader that knows only the old journals would misread a new one.
 * A new field, or a new type of event, does not raise it: readers keep the first and skip the second.
 */
export const JOURNAL_VERSION = 1;

const common = {
  type: z.literal('start'),
  /** Version of the journal. */
  v: z.literal(JOURNAL_VERSION),
  runId: z.string().min(1),
  /** The case's id. */
  taskId: z.string().min(1),
  /** The collection that the case is from: its folder's or file's name. */
  dataset: z.string().optional(),
  /** From 1. A trial is wanted; an attempt is one more try after a fault that was not the agent's. */
  trial: z.int().min(1),
  attempt: z.int().min(1),
  agent: z.strictObject({
    /** `model` and `capture` answer questions. */
    kind: z.string(),
    name: z.string().optional(),
    /** Model, base URL's host, name of the key's variable: never a secret. */
    config: z.unknown().optional(),
  }),
};

export const taskStartEvent = {
  ...common,
  /** Absent in all journals of tasks that were written before there were questions. */
  kind: z.literal('task').optional(),
  /** Made from a trace of an agent that ran elsewhere, in this format: the harness saw nothing of it, and there is no evidence. */
  imported: z.strictObject({ format: z.string() }).optional(),
  /** The whole resolved task: the journal can be judged again without its file. */
  task: z.unknown(),
  hashes: z.strictObject({
    task: z.string(),
    contract: z.string(),
    /** `REWARD_PROVENANCE` of reward/. */
    scorer: z.string(),
    constants: z.string(),
  }),
  server: z.strictObject({
    name: z.string(),
    version: z.string().optional(),
    /** `memory`, `stdio`, `http`. */
    transport: z.string(),
    /** Who keeps episodes apart: `context`, `process`, `server`. */
    isolation: z.string(),
  }),
  environment: z.strictObject({
    waymark: z.string(),
    node: z.string(),
    /** Absent where no browser started. */
    browser: z.strictObject({ product: z.string(), kind: z.string() }).optional(),
    platform: z.string(),
    seed: z.int().optional(),
    determinism: z.unknown().optional(),
  }),
  /** The server has `oc_progress_status`. */
  hasProgressStatus: z.boolean(),
  /** The attempt was made with recovery search, with at most so many replays: its result is not the agent's alone. */
  recovery: z.strictObject({ replays: z.int().min(1) }).optional(),
};

/** A question has neither browser, tool server nor contract. */
export const questionStartEvent = {
  ...common,
  kind: z.literal('question'),
  /** The whole case. Absent where the store keeps it with the cell. */
  task: z.unknown().optional(),
  /** The chat page that the answer was captured on: Waymark did not ask for it, and it is as the capture says. */
  source: z.strictObject({ preset: z.string(), origin: z.string(), displayName: z.string() }).optional(),
  /** Made from a row of version 0.1.0, which kept no journals. */
  migrated: z.literal(true).optional(),
};
