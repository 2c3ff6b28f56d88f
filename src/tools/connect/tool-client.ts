/** The client of a tool server, independent of the server and its transport. */

export interface ToolInfo {
  name: string;
  description: string;
  /** The JSON Schema of the arguments, as the server declares it. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** The server's own claim. A profile may override it. */
  readOnly?: boolean;
}

export interface ToolImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface ToolResult {
  isError: boolean;
  /** All text blocks, joined by line breaks. */
  text: string;
  /** Each text block separately, because some servers append hints as further blocks. */
  texts: readonly string[];
  /** The type of every block, in order. */
  blocks: readonly string[];
  images: readonly ToolImage[];
  structured?: unknown;
  /** What the server says beside its answer, such as `_meta`. It is for the harness, and no agent is shown it. */
  extra?: Readonly<Record<string, unknown>>;
  /** The kind of failure, as far as the server's profile can determine it. */
  errorKind?: string;
  durationMs: number;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Default: 60,000. */
  timeoutMs?: number | undefined;
}

/**
 * A connected tool server. `call` returns the server's answer, including its errors; it throws only when there is no answer:
 * `tool_timeout`, `tool_server_lost`, or the caller's own signal (its reason is thrown as it is).
 */
export interface ToolClient extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ToolInfo[];
  /** Sentences about the connection for readers of the results: tools whose description is invalid. */
  readonly notes?: readonly string[] | undefined;
  /** Present when the harness started the server as a process. */
  readonly pid?: number | undefined;
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolResult>;
  /** Whether the server answers a ping within this time. A frozen process does not. */
  answers(timeoutMs: number): Promise<boolean>;
  /** Whether a call was given up before its answer came: the server may still be working on it. */
  hasUnanswered(): boolean;
  /** Resolves with the reason when the server is lost: how its process ended and its last output. It never resolves after `close`. */
  readonly lost: Promise<string>;
  /** The end of its stderr output; bounded. */
  stderr(): string;
  /** Ends the server within a bounded time, with all its processes and files. */
  close(): Promise<void>;
}
