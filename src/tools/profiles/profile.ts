/** What the harness needs to know about a tool server beyond MCP: a little data and a few functions. */
import type { ActionName } from '../canonical/action.ts';
import type { ServerSpec } from '../connect/server-spec.ts';
import type { ToolClient, ToolResult } from '../connect/tool-client.ts';

export type ProgressStatus = 'progressing' | 'stalling' | 'stuck';

/** The gate's addresses, where the server finds its browser. */
export interface CdpAddress {
  http: string;
  ws: string;
  port: number;
  /** A program that the server can start as its browser; only where the profile asks for it. */
  chromium: string;
  /** A free port, for a server that serves MCP by HTTP. */
  mcpPort: number;
}

/**
 * `memory`: the embedded server, in this process. `gate`: the server gets a CDP address that leads to one context of the harness's browser.
 * `own`: the server has its own browser, to which the witness connects. The server is then responsible for isolation.
 */
export type Attachment = 'memory' | 'gate' | 'own';

/** How calls name a tab. `none`: they go to the tab that the server has selected. */
export interface TabNaming {
  by: 'target-id' | 'page-number' | 'index' | 'none';
  /** The argument that names the tab. */
  argument?: string;
  /** The tool that lists the tabs, and its arguments. */
  listTool?: string;
  listArgs?: Readonly<Record<string, unknown>>;
}

/** A call of the server whose arguments may hold placeholders: `{ "tool": "click", "args": { "selector": "{selector}" } }`. */
export interface MappedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The set of tools into which canonical actions are rendered. `plain`: navigate and observe, and what `actions` says. */
export type Dialect = 'embedded' | 'playwright' | 'chrome-devtools' | 'openchrome' | 'browseros' | 'plain';

export interface ServerProfile {
  readonly name: string;
  readonly attach: Attachment;
  readonly dialect: Dialect;
  /** The server launches its own browser: it gets a program that leads to the gate. */
  readonly launchesBrowser?: boolean;
  /** The server cannot be used for another episode (it holds on to its browser, or to what it did): each one gets a new process. */
  readonly freshProcess?: boolean;
  /** The server accepts only a port and reads `/json/version` there. */
  readonly openDiscovery?: boolean;
  /** For `memory`: the only folder from which files can be uploaded. */
  readonly filesFolder?: string;
  /** For `own`: where the witness finds the server's browser. */
  readonly cdpAddress?: string;
  /** How to start or reach the server. Absent for `memory`. */
  start?(cdp: CdpAddress): ServerSpec;
  readonly navigate: { tool: string; argument: string };
  /** The tool that shows the page. */
  readonly observe: { tool: string; args?: Readonly<Record<string, unknown>> };
  readonly tabs: TabNaming;
  /** Calls that the harness makes before each episode: a server may have to open its browser or a tab first. */
  readonly firstCalls?: readonly MappedCall[];
  /** For the dialect `plain`: the calls that a canonical action becomes. */
  readonly actions?: Readonly<Partial<Record<ActionName, readonly MappedCall[]>>>;
  /** How long its start may take. */
  readonly startMs?: number;
  /** Whether this call only observes. */
  observes(tool: string, args: Readonly<Record<string, unknown>>): boolean;
  /** Releases the browser before the address is pointed to another context, because the server may not notice the change in time. */
  letGo?(client: ToolClient): Promise<unknown>;
  /** Called after the address was pointed to another context: makes sure that the server has reconnected before the first call of an episode. */
  settle?(client: ToolClient): Promise<unknown>;
  /** The kind of a failed result: one of reward's FAILURE_KINDS where one fits, else another name. */
  errorKind(result: ToolResult): string | undefined;
  /**
   * Whether the calls so far make progress, as the server says it with this result. Absent where the server never says it. A server is
   * never asked for it by a further call: OpenChrome counts such a call as progress.
   */
  progress?(result: ToolResult): ProgressStatus | undefined;
  /** Remarks for readers of its results. The journal stores them as warnings, and reports show them. */
  readonly notes?: readonly string[];
}
