/** What has to be known of a tool server beyond MCP: small data and a few functions. */
import type { ServerSpec } from '../connect/server-spec.ts';
import type { ToolClient, ToolResult } from '../connect/tool-client.ts';

/** Where the server finds its browser: the gate's addresses. */
export interface CdpAddress {
  http: string;
  ws: string;
  port: number;
}

/**
 * `memory`: our own server, in this process. `gate`: it is told a CDP address, which leads into one context of the harness's browser.
 * `own`: it can't be told one; it has a browser of its own, which the witness visits. Isolation is then the server's.
 */
export type Attachment = 'memory' | 'gate' | 'own';

/** How calls name a tab. `none`: they go to the tab that is selected in the server. */
export interface TabNaming {
  by: 'target-id' | 'page-number' | 'index' | 'none';
  /** The argument that carries it in calls to a page. */
  argument?: string;
  /** The tool that lists them. */
  listTool?: string;
}

/** The language in which canonical actions are told to it. `plain`: navigate, observe, and nothing else. */
export type Dialect = 'embedded' | 'playwright' | 'chrome-devtools' | 'openchrome' | 'plain';

export interface ServerProfile {
  readonly name: string;
  readonly attach: Attachment;
  readonly dialect: Dialect;
  /** The server takes a port only and looks for `/json/version` there. */
  readonly openDiscovery?: boolean;
  /** For `memory`: uploads come only from here. */
  readonly filesFolder?: string;
  /** For `own`: where the witness finds the server's browser. */
  readonly cdpAddress?: string;
  /** How it is started or reached. For `memory` there is nothing to start. */
  start?(cdp: CdpAddress): ServerSpec;
  readonly navigate: { tool: string; argument: string };
  /** The tool that shows the page. */
  readonly observe: { tool: string; args?: Readonly<Record<string, unknown>> };
  readonly tabs: TabNaming;
  /** Whether this call only looks. */
  observes(tool: string, args: Readonly<Record<string, unknown>>): boolean;
  /** Lets go of the browser before the address is pointed elsewhere: the server may not notice in time by itself. */
  letGo?(client: ToolClient): Promise<unknown>;
  /** After the address was pointed elsewhere: makes sure that the server has come along, so that its first call of an episode is a good one. */
  settle?(client: ToolClient): Promise<unknown>;
  /** The kind of a failed result: one of reward's FAILURE_KINDS where one fits, else a word of our own. */
  errorKind(result: ToolResult): string | undefined;
  /** What is good to know when reading its results. The journal has them as warnings, and reports show them. */
  readonly notes?: readonly string[];
}
