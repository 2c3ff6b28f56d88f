/**
 * A run executes the cases of a suite against one variant, for some number of trials. Each cell (case × trial) has attempts, each with a
 * journal; grades are appended beside them. Everything else is a fold of these.
 */
import * as z from 'zod';

/** What is under test, frozen when the run is made. No variant holds a secret: a key is named by its environment variable. */
export const variantSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('agent'),
    agent: z.strictObject({ kind: z.string(), name: z.string().optional(), config: z.unknown().optional() }),
    server: z.strictObject({ name: z.string(), config: z.unknown().optional() }),
    /** Answers what the contracts ask about screenshots: `kind:id`. */
    imageModel: z.string().optional(),
    /** With recovery search: the replays that an attempt may have. */
    recovery: z.strictObject({ replays: z.int().min(1) }).optional(),
  }),
  z.strictObject({
    kind: z.literal('model'),
    provider: z.strictObject({
      /** Of a stored provider; absent on the command line. */
      id: z.string().optional(),
      kind: z.string(),
      name: z.string().optional(),
      baseUrl: z.string().optional(),
      keyEnv: z.string().optional(),
    }),
    model: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  }),
  /** A chat page that was captured; the model's label belongs to the attempt. */
  z.strictObject({
    kind: z.literal('capture'),
    preset: z.string(),
    origin: z.string(),
    displayName: z.string(),
  }),
]);
export type Variant = z.infer<typeof variantSchema>;

/** Everything that has a say in the results, by a name that people know; long values and secrets as hashes. */
export const runInputsSchema = z.strictObject({
  hash: z.string(),
  of: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type RunInputs = z.infer<typeof runInputsSchema>;

export const cellSchema = z.strictObject({
  caseId: z.string().min(1),
  /** From 1. */
  trial: z.int().min(1),
});
export type Cell = z.infer<typeof cellSchema>;

/** One try at a cell. A retry or a resume makes a new attempt; earlier ones stay. The last finished attempt counts. */
export const attemptRefSchema = cellSchema.extend({ runId: z.string().min(1), attempt: z.int().min(1) });
export type AttemptRef = z.infer<typeof attemptRefSchema>;

export const CELL_STATES = ['pending', 'running', 'finished', 'missing'] as const;
export type CellState = (typeof CELL_STATES)[number];

const suiteSourceSchema = z.strictObject({ format: z.string(), file: z.string(), sha256: z.string() });
export type SuiteSource = z.infer<typeof suiteSourceSchema>;

export const runPlanSchema = z.strictObject({
  /** Opaque; new ones are UUIDv7, older ones stay as they are. */
  runId: z.string().min(1),
  suite: z.strictObject({
    name: z.string(),
    /** Of all its cases: another version of a suite has another hash. */
    hash: z.string(),
    /** The files of other benchmarks that its tasks were imported from. */
    sources: z.array(suiteSourceSchema).optional(),
  }),
  variant: variantSchema,
  trials: z.int().min(1),
  /** In the order of execution. */
  cells: z.array(cellSchema),
  inputs: runInputsSchema,
  /** Steps of a known solution, by case: what an agent's path is measured against. */
  oracleSteps: z.record(z.string(), z.int().min(0)).optional(),
  /** Cases that are counted apart: why, and until when. */
  quarantined: z.record(z.string(), z.strictObject({ reason: z.string(), until: z.iso.date() })).optional(),
  /** One part of a suite, with the hash of the whole: what is merged must be parts of one whole. */
  shard: z.strictObject({ index: z.int().min(1), of: z.int().min(1), suite: z.string() }).optional(),
  /** The ids of the runs that it was merged from: their journals name them. */
  mergedFrom: z.array(z.string()).optional(),
  /** Groups runs for comparison. */
  experiment: z.string().optional(),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
});
export type RunPlan = z.infer<typeof runPlanSchema>;
