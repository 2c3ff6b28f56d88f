/** How a server is reached. */
import path from 'node:path';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** A server in this process; `close` ends it. */
export interface MemorySpec {
  kind: 'memory';
  /** The client's end of a linked pair. */
  transport: Transport;
  close?: (() => Promise<void>) | undefined;
}

/** A command that speaks MCP on its standard input and output. It gets a fresh folder to work in, which is also its HOME. */
export interface StdioSpec {
  kind: 'stdio';
  command: string;
  args?: readonly string[] | undefined;
  /** Beside the few variables that every program needs. Nothing else of our environment reaches it. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Folders that the server is told to work with (MCP roots), the main one first. */
  roots?: readonly string[] | undefined;
  /** Instead of the fresh folder; it is not removed. HOME stays fresh. */
  cwd?: string | undefined;
}

export interface HttpSpec {
  kind: 'http';
  url: string;
  headers?: Readonly<Record<string, string>> | undefined;
}

export type ServerSpec = MemorySpec | StdioSpec | HttpSpec;

/** For sentences, which end up in reports: no folders of this machine, and no arguments, because they can carry addresses and keys. */
export function describeSpec(spec: ServerSpec): string {
  if (spec.kind === 'memory') return 'the embedded tool server';
  if (spec.kind === 'http') return `the tool server at ${new URL(spec.url).origin}`;
  const script = spec.args?.find((argument) => !argument.startsWith('-'));
  const words = [spec.command, ...(script === undefined ? [] : [script])].map((word) => path.basename(word));
  return `the tool server "${words.join(' ')}"`;
}
