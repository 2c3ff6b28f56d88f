/** For the tests of the embedded server: one browser per file, and a new slot with a server and a client for each test. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll } from 'vitest';
import { z } from 'zod';
import type { Slot } from '../../src/chromium/index.ts';
import { type EmbeddedServerOptions, embeddedServer } from '../../src/tools/index.ts';
import { evaluate, type Lab, type LabOptions, openLab } from '../support/lab.ts';

export interface Said {
  text: string;
  isError: boolean;
  /** Of an error. */
  kind: string | undefined;
  hint: string | undefined;
  image: { data: string; mimeType: string } | undefined;
}

export interface TestTools extends AsyncDisposable {
  slot: Slot;
  client: Client;
  /** Calls a tool; arguments as they are. */
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<Said>;
  /** The same, and it must not be an error. */
  ok(name: string, args?: Record<string, unknown>): Promise<string>;
  goto(path: string): Promise<void>;
  /** What the page itself says, read by the harness and not by the tools. */
  textOf(selector: string): Promise<string>;
  evaluate(expression: string): Promise<unknown>;
}

const Result = z.object({
  isError: z.boolean().optional(),
  content: z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      data: z.string().optional(),
      mimeType: z.string().optional(),
    }),
  ),
  structuredContent: z.object({ kind: z.string(), hint: z.string() }).optional(),
});

export interface EmbeddedServerLab {
  readonly lab: Lab;
  open(options?: Partial<EmbeddedServerOptions>): Promise<TestTools>;
}

export function useEmbeddedServer(options: LabOptions = {}): EmbeddedServerLab {
  let opened: Lab | undefined;
  beforeAll(async () => {
    opened = await openLab(options);
    await opened.pool.warm(1);
  });
  afterAll(() => opened?.[Symbol.asyncDispose]());
  const lab = (): Lab => {
    if (!opened) throw new Error('The lab is not open yet.');
    return opened;
  };
  return {
    get lab() {
      return lab();
    },
    open: async (serverOptions = {}) => openTools(await lab().slot(), lab().server.origin, serverOptions),
  };
}

async function openTools(slot: Slot, origin: string, options: Partial<EmbeddedServerOptions>): Promise<TestTools> {
  const server = embeddedServer({ slot, ...options });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(await server.connectInMemory());
  const call = async (name: string, args: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Said> => {
    const result = Result.parse(
      await client.callTool({ name, arguments: args }, undefined, { ...(signal ? { signal } : {}) }),
    );
    const [first] = result.content;
    return {
      text: first?.text ?? '',
      isError: result.isError === true,
      kind: result.structuredContent?.kind,
      hint: result.structuredContent?.hint,
      image: first?.data === undefined ? undefined : { data: first.data, mimeType: first.mimeType ?? '' },
    };
  };
  const ok = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const said = await call(name, args);
    if (said.isError) throw new Error(`${name} ${JSON.stringify(args)} failed: ${said.kind}: ${said.text}`);
    return said.text;
  };
  return {
    slot,
    client,
    call,
    ok,
    evaluate: (expression) => evaluate(slot, expression),
    goto: async (path) => {
      await ok('navigate', { url: path.startsWith('/') ? origin + path : path });
    },
    textOf: async (selector) =>
      String(await evaluate(slot, `document.querySelector(${JSON.stringify(selector)})?.textContent ?? null`)),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
      await slot.release();
    },
  };
}

/** The ref in front of the line that holds the words. */
export function refOf(text: string, words: string): string {
  const line = text.split('\n').find((one) => one.includes(words));
  const ref = /\[([a-z]+\d+)\]/.exec(line ?? '')?.[1];
  if (ref === undefined) throw new Error(`No ref for "${words}" in:\n${text}`);
  return ref;
}

/** A page of the test's own. */
export function inline(html: string): string {
  return `data:text/html;charset=utf-8,${encodeURIComponent(`<!doctype html><title>Inline</title>${html}`)}`;
}
