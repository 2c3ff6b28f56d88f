/** What every grader is: given an attempt that has ended, it says pass, fail, or why it can't tell. */
import type { EpisodeTaskSpec, Item } from '../cases/index.ts';
import type { AttemptRef, GradeVerdict, JournalEvent } from '../events/index.ts';
import type { Judge } from './judge/judge.ts';

/** An attempt that has ended, to be read. A browser task, an answer of an API model and a captured answer look the same here. */
export interface AttemptReader {
  readonly ref: AttemptRef;
  readonly subject: GradedCase;
  /** What the agent or the model answered in the end; null where it gave none. */
  readonly answer: string | null;
  /** The whole journal, from `start` to `stop`. */
  readonly events: readonly JournalEvent[];
  /** Steps of a known solution, where the case has one. */
  readonly oracleSteps?: number | undefined;
  /** A file that was kept with the attempt (`screenshots/003.jpg`); undefined where there is none. */
  artifact(key: string): Promise<Uint8Array | undefined>;
}

export type GradedCase =
  | { readonly kind: 'task'; readonly task: EpisodeTaskSpec }
  | { readonly kind: 'question'; readonly item: Item };

export interface GraderContext {
  /** Aborted when the grader's time is over, or when the work is stopped. */
  readonly signal: AbortSignal;
  /** The model that judges; undefined where none was chosen. Its calls and its cost are counted and bounded. */
  readonly judge: Judge | undefined;
  /** Keeps a file with the grade. */
  keep(name: string, content: string | Uint8Array): void;
  /** For a grader in a module: the `config` of the case's spec, as it is. It is the grader's to check. */
  readonly config?: unknown;
}

/** What a grader says. */
export interface Assessment {
  /** `error`: it could not tell, which is never the agent's failure. `skipped`: it does not apply here. */
  readonly verdict: GradeVerdict;
  /** 0 to 1. By default 1 for a pass and 0 for a failure; always null for the other two. */
  readonly score?: number | null | undefined;
  /** A sentence or more, for people. */
  readonly reasoning: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface Grader {
  /** Under which its grades are kept. */
  readonly name: string;
  /** Changes whenever the same attempt could get another grade. */
  readonly version: string;
  /** It asks a model: without one it is skipped, with that reason, and the same attempt may get another verdict. */
  readonly needsModel?: boolean | undefined;
  /** By default a minute. */
  readonly timeoutMs?: number | undefined;
  grade(attempt: AttemptReader, context: GraderContext): Assessment | Promise<Assessment>;
}

/**
 * For graders in TypeScript and JavaScript: types and completion, nothing else.
 *
 * @example
 * export default defineGrader({
 *   name: 'short-answer',
 *   version: '1',
 *   grade({ answer }) {
 *     if (answer === null) return { verdict: 'skipped', reasoning: 'There is no answer.' };
 *     return { verdict: answer.length <= 80 ? 'pass' : 'fail', reasoning: `The answer has ${answer.length} characters.` };
 *   },
 * });
 */
export function defineGrader(grader: Grader): Grader {
  return grader;
}
