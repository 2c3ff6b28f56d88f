/** A conversation as the policies see it, whatever protocol it came by, and the reply that goes back. */

/** A picture. Its bytes are checked when the request is read; no policy looks at them, so they are not kept. */
export interface Picture {
  readonly mediaType: string;
  readonly bytes: number;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Sent in place of the arguments: a reply may hold broken JSON on purpose. */
  readonly rawArguments?: string;
}

export interface ModelToolResult {
  /** The id of the call that it answers. */
  readonly id: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly Picture[];
}

export interface ConversationMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly images: readonly Picture[];
  /** Of the assistant. */
  readonly toolCalls: readonly ModelToolCall[];
  /** Of the user: every protocol sends results on the user's side. */
  readonly toolResults: readonly ModelToolResult[];
}

export interface ConversationTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Conversation {
  /** As the client named it. */
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ConversationMessage[];
  readonly tools: readonly ConversationTool[];
  /** The JSON Schema that the reply is asked to have. */
  readonly format?: Readonly<Record<string, unknown>>;
}

/** What a policy decides. */
export interface Draft {
  readonly text?: string;
  readonly toolCalls?: readonly ModelToolCall[];
  /** What it considered: counted as reasoning tokens, and not sent. */
  readonly reasoning?: string;
  /** The reply is withheld by a content filter; the text is then what the vendor says instead. */
  readonly isRefusal?: boolean;
}

export interface TokenUsage {
  /** Cached tokens are included. */
  readonly input: number;
  readonly cached: number;
  /** Reasoning tokens are included. */
  readonly output: number;
  readonly reasoning: number;
}

export interface ModelReply extends Draft {
  readonly finish: 'stop' | 'tool-calls' | 'content-filter';
  readonly usage: TokenUsage;
  /** The name of the model, as every reply says it. */
  readonly model: string;
  /** Distinguishes replies; the same conversation has the same one. */
  readonly id: string;
}
