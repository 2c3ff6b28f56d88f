/** What a model has been told and has said. Old observations are left out when they no longer fit. */
import type { ModelUsage } from '../../events/index.ts';
import type { ModelMessage } from '../../models/index.ts';
import type { Picture, ShownResult } from './shown-result.ts';

/** Observations at the end that are always kept: the model needs the page that it acts on. */
const KEPT_OBSERVATIONS = 3;
/** How much of the budget may be full after older observations were left out, so that it does not happen at every turn. */
const FULL_AFTER = 0.6;
/** Characters of a token, where nothing better is known. Too few rather than too many: an overflow ends the attempt. */
const CHARACTERS_OF_TOKEN = 3;
/** A picture costs about this, whatever its bytes. */
const PICTURE_TOKENS = 1_600;

/** One observation in the conversation that may be left out. */
interface Observation {
  tokens: number;
  leaveOut(): void;
}

export class Conversation {
  readonly messages: ModelMessage[] = [];
  readonly #observations: Observation[] = [];
  /** Tokens of everything that is in it, by our own estimate. */
  #estimate = 0;
  /** What the provider counted for an estimate of this size. */
  #known: { reported: number; estimate: number } | undefined;

  addUser(text: string): void {
    this.messages.push({ role: 'user', content: text });
    this.#estimate += tokensOf(text);
  }

  /** The model's reply, as the SDK wants it back, with what the provider counted. */
  addReply(messages: readonly ModelMessage[], { inputTokens, outputTokens = 0 }: Partial<ModelUsage>): void {
    this.messages.push(...messages);
    this.#estimate += tokensOf(JSON.stringify(messages));
    if (inputTokens !== undefined) this.#known = { reported: inputTokens + outputTokens, estimate: this.#estimate };
  }

  /** The results of the model's calls. Every call must have one before the next turn. */
  addResults(results: readonly ShownResult[]): void {
    if (results.length === 0) return;
    const content = results.map(({ toolCallId, toolName, text, isError }) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
    }));
    this.messages.push({ role: 'tool', content });
    for (const part of content) {
      this.#observe(tokensOf(part.output.value), (note) => {
        part.output.value = note;
      });
    }
    for (const { pictures, toolName } of results) this.addPictures(`What ${toolName} returned:`, pictures);
  }

  /**
   * In a user message of their own: the one place where every provider takes pictures. In the result of a tool, several send the bytes as
   * text (docs/explanation/agents.md).
   */
  addPictures(caption: string, pictures: readonly Picture[]): void {
    if (pictures.length === 0) return;
    const files = pictures.map(({ data, mediaType }) => ({ type: 'file' as const, data, mediaType }));
    const content: Array<{ type: 'text'; text: string } | (typeof files)[number]> = [
      { type: 'text', text: caption },
      ...files,
    ];
    this.messages.push({ role: 'user', content });
    this.#observe(pictures.length * PICTURE_TOKENS, (note) => {
      content.splice(0, content.length, { type: 'text', text: note });
    });
  }

  /** Leaves out the oldest observations where the conversation would no longer fit. @returns how many. */
  fitInto(budget: number): number {
    if (this.#tokens <= budget) return 0;
    let count = 0;
    while (this.#observations.length > KEPT_OBSERVATIONS && this.#tokens > budget * FULL_AFTER) {
      this.#observations.shift()?.leaveOut();
      count++;
    }
    return count;
  }

  /** What the provider counted, plus or minus what was added or left out since by our own estimate. */
  get #tokens(): number {
    return this.#known ? this.#known.reported + this.#estimate - this.#known.estimate : this.#estimate;
  }

  #observe(tokens: number, replace: (note: string) => void): void {
    const note = '[left out: an observation of an earlier step]';
    this.#estimate += tokens;
    this.#observations.push({
      tokens,
      leaveOut: () => {
        replace(note);
        this.#estimate -= Math.max(0, tokens - tokensOf(note));
      },
    });
  }
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_OF_TOKEN);
}
