/** The questions of a contract about what a page looks like (`image_qa`). A model answers each of them once per picture: an unchanged page costs no second call. */
import type { Screenshot } from '../chromium/index.ts';
import type { Facts } from '../contracts/index.ts';
import type { ModelUsage } from '../events/index.ts';
import type { ImageAnswer, OpenedModel } from '../models/index.ts';

/** What the witness takes. */
const MEDIA_TYPE = 'image/jpeg';

export class ImageQuestions {
  readonly #model: OpenedModel;
  readonly #questions: readonly string[];
  readonly #onUsage: (usage: ModelUsage) => void;
  /** By picture and question. Two lanes that show the same picture share one call. */
  readonly #asked = new Map<string, Promise<ImageAnswer>>();

  constructor(model: OpenedModel, questions: readonly string[], onUsage: (usage: ModelUsage) => void) {
    this.#model = model;
    this.#questions = questions;
    this.#onUsage = onUsage;
  }

  /** What the model did not say is unavailable, with the reason: its leaf is then inconclusive, and never failed. */
  async answers(picture: Screenshot, signal: AbortSignal): Promise<Pick<Facts, 'answers' | 'unavailable'>> {
    const replies = await Promise.all(this.#questions.map((question) => this.#answer(picture, question, signal)));
    const known = replies.flatMap(({ answer }, index) =>
      answer === undefined ? [] : [[this.#questions[index] ?? '', answer] as const],
    );
    const missing = replies.find(({ answer }) => answer === undefined);
    return {
      answers: Object.fromEntries(known),
      ...(missing === undefined ? {} : { unavailable: { answers: missing.reason ?? 'The model did not answer.' } }),
    };
  }

  async #answer(picture: Screenshot, question: string, signal: AbortSignal): Promise<ImageAnswer> {
    const key = `${picture.hash} ${question}`;
    let asked = this.#asked.get(key);
    if (!asked) {
      asked = this.#ask(picture, question, signal);
      this.#asked.set(key, asked);
    }
    const reply = await asked;
    // A failure may pass: the next look asks again.
    if (reply.answer === undefined) this.#asked.delete(key);
    return reply;
  }

  async #ask({ data }: Screenshot, question: string, signal: AbortSignal): Promise<ImageAnswer> {
    try {
      const { askAboutImage } = await import('../models/index.ts');
      const reply = await askAboutImage(this.#model, { data, mediaType: MEDIA_TYPE }, question, signal);
      if (reply.usage) this.#onUsage(reply.usage);
      return reply;
    } catch (error) {
      if (!signal.aborted) throw error;
      const reason = 'The attempt ended before the model had answered.';
      return { answer: undefined, reason, usage: undefined };
    }
  }
}
