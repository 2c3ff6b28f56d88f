/** What the witness saw after a call: digests and counters of the page, and what happened since the evidence before. */
import * as z from 'zod';
import { factsSchema } from '../contracts/index.ts';

const count = z.int().min(0);
/** The number of the last tool call that was sent before. */
const marker = z.int().min(0);

export const evidenceEvent = {
  type: z.literal('evidence'),
  callId: z.string().optional(),
  /** The lane whose page was looked at; absent means `main`. */
  executorId: z.string().min(1).optional(),
  url: z.string(),
  title: z.string(),
  /** Unless it is `ok`, the page did not answer, and digests are absent. */
  page: z.enum(['ok', 'dialog', 'navigating', 'unresponsive', 'crashed', 'gone', 'failed']),
  /** The error that the harness's own script threw in the page, where the look `failed`. */
  problem: z.string().optional(),
  /** Fingerprint of the state, volatile regions left out. */
  state: z.string().optional(),
  /** Two looks had agreed since the last call, before this one: what changed since is not the late effect of that call. */
  settled: z.boolean().optional(),
  /** How long the page had been watched since the look after the last call, or the first look: up to this look, or to the call that it is of. */
  watchedMs: count.optional(),
  digests: z.strictObject({ dom: z.string(), text: z.string(), actionable: z.string() }).optional(),
  /** What an action may change without a change of the document: counts of focused fields, pointed-at elements and scrolls; the selection as a digest. */
  attention: z.strictObject({ focus: count, selection: z.string(), pointer: count, scrolls: count }).optional(),
  /** Digests of disjoint parts of the page, by path. */
  regions: z.record(z.string(), z.string()).optional(),
  /** HTTP status of the top document, whether a redirect led to it, and structure that makes a page a wall. */
  status: z.int().optional(),
  redirected: z.boolean().optional(),
  features: z
    .strictObject({
      passwordForm: z.boolean().optional(),
      challengeFrame: z.boolean().optional(),
      /** It shows pixels that are not in the document. */
      canvas: z.boolean().optional(),
    })
    .optional(),
  /** Since the episode began. `writes`: requests other than GET that were answered 2xx. */
  counters: z.strictObject({
    network: count,
    failed: count.optional(),
    writes: count.optional(),
    console: count,
    dialogs: count,
    downloads: count,
    popups: count,
  }),
  dialogOpen: z.boolean().optional(),
  tabs: z.array(z.strictObject({ targetId: z.string().optional(), url: z.string(), title: z.string() })),
  /** From here on: since the evidence before, newest kept; a list that would be empty is left out. */
  network: z
    .array(
      z.strictObject({
        /** The same request again, when its response came after an earlier evidence. */
        id: z.string().optional(),
        at: z.number().optional(),
        method: z.string(),
        url: z.string(),
        /** Absent while there is no response. */
        status: z.int().optional(),
        type: z.string(),
        marker,
        /** The browser's reason: `net::ERR_…`. */
        failed: z.string().optional(),
        /** It could have changed something on a host that the task does not name, and was not sent. */
        blocked: z.literal(true).optional(),
      }),
    )
    .optional(),
  console: z
    .array(
      z.strictObject({
        at: z.number().optional(),
        type: z.string(),
        text: z.string(),
        uncaught: z.boolean(),
        marker,
      }),
    )
    .optional(),
  dialogs: z
    .array(
      z.strictObject({
        at: z.number().optional(),
        type: z.string(),
        message: z.string(),
        url: z.string().optional(),
        marker,
        /** Absent while it is open. */
        accepted: z.boolean().optional(),
      }),
    )
    .optional(),
  downloads: z
    .array(
      z.strictObject({
        at: z.number().optional(),
        url: z.string(),
        suggestedFilename: z.string(),
        state: z.string(),
        receivedBytes: count.optional(),
        marker,
      }),
    )
    .optional(),
  popups: z
    .array(z.strictObject({ at: z.number().optional(), url: z.string(), targetId: z.string().optional(), marker }))
    .optional(),
  /** How many older entries of a list were left out. */
  dropped: z
    .strictObject({
      network: count.optional(),
      console: count.optional(),
      dialogs: count.optional(),
      downloads: count.optional(),
      popups: count.optional(),
    })
    .optional(),
  /** What the contract was judged from: judging it again gives the same verdict. */
  facts: factsSchema.optional(),
};
