/** How to reach a server. */
import path from 'node:path';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** A server in this process; `close` ends it. */
export interface MemorySpec {
  kind: 'memory';
  /** The client's end of a linked pair. */
  transport: Transport;
  close?: (() => Promise<void>) | undefined;
}

/** A command that speaks MCP on its standard input and output. It runs in a new folder, which is also its HOME. */
export interface StdioSpec {
  kind: 'stdio';
  command: string;
  args?: readonly string[] | undefined;
  /** Variables in addition to the few that every program needs. Nothing else of our environment is passed on. */
  env?: Readonly<Record<string, string>> | undefined;
  /** The MCP roots, the main one first. */
  roots?: readonly string[] | undefined;
  /** The working folder, instead of a new one. It is not removed. HOME is still a new folder. */
  cwd?: string | undefined;
}

export interface HttpSpec {
  kind: 'http';
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** The program that serves the URL. Without it, the server runs already. */
  program?: Omit<StdioSpec, 'kind' | 'roots'> | undefined;
}

export type ServerSpec = MemorySpec | StdioSpec | HttpSpec;

/** The server's name in messages and reports. It has no folder names and no arguments, because these can hold addresses and keys. */
export function describeSpec(spec: ServerSpec): string {
  if (spec.kind === 'memory') return 'the embedded tool server';
  if (spec.kind === 'http' && !spec.program) return `the tool server at ${new URL(spec.url).origin}`;
  const { command, args } = spec.kind === 'http' ? (spec.program ?? { command: '' }) : spec;
  const script = args?.find((argument) => !argument.startsWith('-'));
  const words = [command, ...(script === undefined ? [] : [script])].map((word) => path.basename(word));
  return `the tool server "${words.join(' ')}"`;
}
