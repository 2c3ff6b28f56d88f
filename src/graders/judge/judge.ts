/** The model behind a judging grader, as graders see it: asked with text and pictures, counted and bounded. */
import type { ReplyFormat } from '../../models/index.ts';

export interface JudgePicture {
  readonly data: Uint8Array;
  /** `image/jpeg` or `image/png`. */
  readonly mediaType: string;
}

export interface JudgeRequest {
  readonly instructions: string;
  /** In this order, as one message of the user. */
  readonly parts: readonly (string | JudgePicture)[];
  readonly maxOutputTokens?: number | undefined;
  /** Asked for where the model takes it; the reply is text in any case. */
  readonly format?: ReplyFormat | undefined;
}

export interface Judge {
  /** `kind:id`. */
  readonly model: string;
  /**
   * The reply's text.
   * @throws JudgeProblem where the model could not be asked, or where the calls or the money that grading may use are used up.
   */
  ask(request: JudgeRequest): Promise<string>;
}

/** Why a judge gave no reply, as a sentence. The grade is `error`, and never the agent's failure. */
export class JudgeProblem extends Error {
  override readonly name = 'JudgeProblem';
}
