/** Requests, as a `network` grader needs them. They are written only where the task has such a grader, and only as far as its rules ask. */
import * as z from 'zod';

const count = z.int().min(0);

/** What was sent or received: its text, or a sentence on why it is not here. */
const content = z.union([
  z.strictObject({ mediaType: z.string(), text: z.string() }),
  z.strictObject({ problem: z.string() }),
]);

/** One request that a rule could be about, written when it has ended. A redirect is a request of its own. */
export const requestEvent = {
  type: z.literal('request'),
  /** The order in which requests were sent, from 1; events stand in the order in which they ended. */
  number: z.int().min(1),
  /** When it was sent. */
  at: z.number(),
  method: z.string(),
  url: z.string(),
  /** It asked for the document of a tab, not for something in it. */
  navigation: z.literal(true).optional(),
  /** Absent where no response came. */
  status: z.int().optional(),
  /** The browser's reason: `net::ERR_…`. */
  failed: z.string().optional(),
  /** How it ended is not known: its tab, or the attempt, ended before. */
  open: z.literal(true).optional(),
  /** Of the request; by names in lower case. Only those that a rule names. */
  headers: z.record(z.string(), z.string()).optional(),
  /** That the response sets. Only those that a rule names. */
  cookies: z.record(z.string(), z.string()).optional(),
  body: content.optional(),
  response: content.optional(),
};

/** Once, at the end: for which rules requests were written, and how many there were. Without it the list is not known to be whole. */
export const requestsEvent = {
  type: z.literal('requests'),
  /** Hashes of the rules. */
  rules: z.array(z.string()),
  /** Requests of the attempt, those that no rule is about included. */
  seen: count,
  recorded: count,
  /** Left out because there were too many. */
  dropped: count.optional(),
  /** Why the list ends early, as a sentence. */
  incomplete: z.string().optional(),
};
