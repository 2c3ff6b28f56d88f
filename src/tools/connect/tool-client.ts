/** What the harness knows of a tool server, whichever it is and however it is reached. */

export interface ToolInfo {
  name: string;
  description: string;
  /** JSON Schema of the arguments, as the server gives it. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** The server's own claim; a profile may know better. */
  readOnly?: boolean;
}

export interface ToolImage {
  mimeType: string;
  /** Base64. */
  data: string;
}

export interface ToolResult {
  isError: boolean;
  /** All text blocks, a line break between them. */
  text: string;
  /** Each text block by itself: some servers append hints of their own as further blocks. */
  texts: readonly string[];
  /** The type of every block, in order. */
  blocks: readonly string[];
  images: readonly ToolImage[];
  structured?: unknown;
  /** What kind of failure it is, as far as the server's profile can tell. */
  errorKind?: string;
  durationMs: number;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Default: 60,000. */
  timeoutMs?: number | undefined;
}

/**
 * A connected tool server. `call` gives back what the server answered, its errors included; it throws only when there is no answer:
 * `tool_timeout`, `tool_server_lost`, or the caller's own signal (its reason is thrown as it is).
 */
export interface ToolClient extends AsyncDisposable {
  readonly name: string;
  readonly version: string;
  readonly tools: readonly ToolInfo[];
  /** Where it is a process that we started. */
  readonly pid?: number | undefined;
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<ToolResult>;
  /** Resolves with the reason when the server is lost: how its process ended and its last words. Never when we close it. */
  readonly lost: Promise<string>;
  /** What it wrote to stderr last; bounded. */
  stderr(): string;
  /** Bounded in time; nothing of the server is left afterwards. */
  close(): Promise<void>;
}
