/** A task: where an episode starts, what it is for, when it has succeeded, and what it may cost. */
import { z } from 'zod';
import { type Contract, contractSchema, parseContract } from '../../contracts/index.ts';
import { gradingFields, gradingProblems } from '../graders/grader-spec.ts';
import { determinismSchema } from './determinism.ts';
import { type TaskProblem, taskProblems } from './task-problem.ts';

export const TASK_LIMITS = { maxSteps: 100, maxDurationMs: 600_000, idLength: 128, textLength: 4_096 } as const;
const DEFAULTS = { maxSteps: 30, maxDurationMs: 120_000 } as const;

/** What the gate lets a server open, and no more: never the harness's own disk, where the answers may lie. */
const NO_WEB_PAGE = 'must be the address of a web page (http:, https:, data: or about:blank)';

const text = z.string().min(1).max(TASK_LIMITS.textLength);

const KEPT_COOKIES = 'must be true or left out: every attempt starts without cookies';

const setup = z.strictObject({
  /** Every attempt starts without cookies: that it should keep them can't be had. */
  clearCookies: z
    .boolean()
    .refine((given) => given, { error: KEPT_COOKIES })
    .optional(),
  viewport: z.strictObject({ width: z.int().min(100).max(10_000), height: z.int().min(100).max(10_000) }).optional(),
});

/** Of a recording, a path relative to the task's file. */
const network = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('live'),
    /** Hosts on which the task may change something: names, `*.name` for all below it, `*` for all. Others are only read. */
    allowWrites: z
      .array(
        z
          .string()
          .max(253)
          .regex(
            /^(\*|(\*\.)?[A-Za-z0-9][A-Za-z0-9.-]*)$/,
            'must be a host name, "*.<name>" or "*", without scheme, port and path',
          ),
      )
      .max(100)
      .optional(),
  }),
  z.strictObject({ mode: z.literal('replay'), recording: text }),
  z.strictObject({ mode: z.literal('blocked') }),
]);

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');

const source = z.strictObject({
  format: text,
  file: text,
  /** Of the whole file, or of the names and contents of a folder. */
  sha256,
  /** Which part of it: a row, a line, or the name of a file. */
  row: text,
  /** The list that named the row. */
  list: z.strictObject({ file: text, sha256 }).optional(),
});

const shape = {
  id: z
    .string()
    .max(TASK_LIMITS.idLength)
    .regex(
      /^[a-z0-9][a-z0-9._-]*$/,
      'must be lower-case letters, digits, ".", "_" and "-", and begin with a letter or digit',
    ),
  title: text,
  startUrl: z
    .url({ abort: true, error: NO_WEB_PAGE })
    .max(TASK_LIMITS.textLength)
    .refine(isWebPage, { error: NO_WEB_PAGE }),
  goal: text,
  /** What the task tests, for people; the agent does not see it. */
  about: text.optional(),
  maxSteps: z.int().min(1).max(TASK_LIMITS.maxSteps),
  maxDurationMs: z.int().min(1).max(TASK_LIMITS.maxDurationMs),
  setup: setup.optional(),
  tags: z.array(text).max(50).optional(),
  // Extensions of ours, each under its own name.
  network: network.optional(),
  determinism: determinismSchema.optional(),
  /** A transcript known to succeed: a path relative to the task's file. */
  oracle: text.optional(),
  /** Why the contract holds on the start page already: then `waymark check` does not take that for a mistake. */
  holdsAtStart: text.optional(),
  /** Not to be relied on for now: it is run, and counted apart. */
  quarantine: z
    .strictObject({
      reason: text,
      until: z.iso.date({ error: 'must be a date, such as "2026-12-31"' }),
    })
    .optional(),
  category: text.optional(),
  expectedFirstTool: text.optional(),
  /** Names of environment variables; calls say `{{secret:NAME}}`. */
  secrets: z
    .array(
      z
        .string()
        .max(128)
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, and never a value'),
    )
    .max(50)
    .optional(),
  /** Actions that need approval: a tool or an action, and the element where only some are meant (`click Place order`). */
  guardedActions: z.array(text).max(50).optional(),
  /** What the task was imported from. It is kept with every attempt, and does not make it another task. */
  source: source.optional(),
  /** What a server can't do, and why: its episodes are told apart from failures. */
  unsupported: z.record(z.string(), text).optional(),
  ...gradingFields,
};

/** Everything but the contract, which says its problems itself. */
const outer = z.strictObject({ ...shape, success: z.unknown().optional() }).superRefine((task, context) => {
  for (const problem of gradingProblems(task)) context.addIssue({ code: 'custom', ...problem });
});

/** For editors: the whole language. */
export const taskSchema = z.strictObject({ ...shape, success: contractSchema });

export type EpisodeTaskSpec = Omit<z.infer<typeof outer>, 'success'> & { success: Contract };

/** What a person writes: caps may be left to their defaults. */
export type TaskInput = Omit<EpisodeTaskSpec, 'maxSteps' | 'maxDurationMs'> &
  Partial<Pick<EpisodeTaskSpec, 'maxSteps' | 'maxDurationMs'>>;

export type ParsedTask = { ok: true; task: EpisodeTaskSpec } | { ok: false; problems: TaskProblem[] };

/**
 * Applies the defaults, then checks everything at once.
 *
 * @example
 * const parsed = parseTask({ id: 'h1', title: 'Heading', startUrl: 'https://example.com/', goal: 'Look.',
 *   success: { kind: 'dom_text', selector: 'h1', contains: 'Example' } });
 * parsed.ok && parsed.task.maxSteps; // => 30
 */
export function parseTask(input: unknown): ParsedTask {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { ok: false, problems: [{ path: '$', code: 'wrong_type', message: 'A task must be an object.' }] };
  }
  const given = { ...DEFAULTS, ...input };
  const parsed = outer.safeParse(given);
  const problems: TaskProblem[] = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) => [...taskProblems(issue, given)]);
  let success: Contract | undefined;
  if (!('success' in input))
    problems.push({ path: '$.success', code: 'missing', message: '"success" is missing; expected a contract.' });
  else {
    const contract = parseContract(input.success, '$.success');
    if (contract.ok) success = contract.contract;
    else problems.push(...contract.problems.map((problem) => ({ code: 'bad_contract' as const, ...problem })));
  }
  if (!parsed.success || success === undefined || problems.length > 0) return { ok: false, problems };
  return { ok: true, task: { ...parsed.data, success } };
}

/** For tasks in TypeScript: types and completion, nothing else. */
export function defineTask(task: TaskInput): TaskInput {
  return task;
}

function isWebPage(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return /^(https?|data):$/.test(protocol) || (protocol === 'about:' && pathname === 'blank');
}
