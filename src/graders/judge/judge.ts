/** The model behind a judging grader, as graders see it: asked with text and pictures, counted and bounded. */
import type { ReplyFormat } from '../../models/index.ts';

export interface JudgePicture {
  /** Of the attempt's artifact; the request is recorded with it instead of the bytes. */
  readonly key: string;
  readonly data: Uint8Array;
  /** `image/jpeg` or `image/png`. */
  readonly mediaType: string;
}

export interface JudgeRequest {
  readonly instructions: string;
  /** In this order, as one message of the user. */
  readonly parts: readonly (string | JudgePicture)[];
  /** By default 8000: models that reason before they reply count that too. */
  readonly maxOutputTokens?: number | undefined;
  /** Asked for where the model takes it; the reply is text in any case. */
  readonly format?: ReplyFormat | undefined;
}

export interface Judge {
  /** `kind:id`. */
  readonly model: string;
  /**
   * The reply's text, which is whole: a reply that was cut off is a problem of the judge.
   * @throws JudgeProblem where the model could not be asked, or where the calls or the money that grading may use are used up.
   * The signal's reason when it is aborted.
   */
  ask(request: JudgeRequest, signal: AbortSignal): Promise<string>;
}

/** Why a judge gave no verdict, as a sentence. The grade is `error`, and never the agent's failure. */
export class JudgeProblem extends Error {
  override readonly name = 'JudgeProblem';
}
