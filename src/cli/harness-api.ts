/**
 * The Browser Harness's API for commands: of a server that runs, or of the data folder itself. The requests are the same, so that a command
 * can do no more and no less than the web app.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { openSigningKeys, SIGNING_KEYS_FILE } from '../capture/index.ts';
import { isErrorCode, WaymarkError } from '../errors/index.ts';
import { defineGrading, defineLaunching } from '../runs/index.ts';
import { browserHarness, createApp, decideAccess } from '../server/index.ts';
import { openArtifacts, openStore, Queue } from '../store/index.ts';
import type { Flag } from './command.ts';
import { pageParts } from './page-parts.ts';
import { storeFlags, storePlaces } from './store-flags.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

export const harnessFlags = {
  ...storeFlags,
  server: {
    type: 'string',
    value: '<http://…>',
    about: 'ask this server instead of opening the data; its token, if it has one, in WAYMARK_TOKEN',
  },
  json: { type: 'boolean', about: 'print one JSON object and nothing else' },
} as const satisfies Record<string, Flag>;

export interface HarnessApi extends AsyncDisposable {
  /** Throws what the API refuses, with its code, message and hint. */
  request<T>(
    place: string,
    answer: z.ZodType<T>,
    init?: { method?: string; type?: string; body?: string | Uint8Array<ArrayBuffer> },
  ): Promise<T>;
  text(place: string): Promise<string>;
}

const problemSchema = z.object({
  code: z.string(),
  detail: z.string(),
  hint: z.string().optional(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

interface HarnessPlace {
  data?: string;
  database?: string;
  server?: string;
}

export async function openHarnessApi(flags: HarnessPlace, terminal: Terminal): Promise<HarnessApi> {
  const { send, close } =
    flags.server === undefined ? await inProcess(flags, terminal) : remote(flags.server, terminal);
  const ask = async (place: string, init: RequestInit) => {
    const response = await send(place, init);
    if (!response.ok) throw refusalOf(response.status, await response.text());
    return response;
  };
  return {
    async request(place, answer, { method = 'GET', type = 'application/json', body } = {}) {
      const init = body === undefined ? { method } : { method, body, headers: { 'content-type': type } };
      return answer.parse(await (await ask(place, init)).json());
    },
    text: async (place) => (await ask(place, {})).text(),
    [Symbol.asyncDispose]: close,
  };
}

interface Line {
  send: (place: string, init: RequestInit) => Promise<Response>;
  close: () => Promise<void>;
}

async function inProcess(flags: HarnessPlace, terminal: Terminal): Promise<Line> {
  const places = storePlaces(flags, terminal);
  const store = await openStore(places.store);
  const queue = await Queue.start(store);
  const close = async () => {
    await queue.stop();
    await store.close();
  };
  try {
    await defineGrading(queue);
    await defineLaunching(queue);
    const keys = openSigningKeys(path.join(places.data, SIGNING_KEYS_FILE));
    const app = createApp({
      store,
      queue,
      artifacts: await openArtifacts(places.artifacts),
      version: version(),
      allowLocalProviders: false,
      stopping: new AbortController().signal,
      log: (line) => terminal.err(`${line}\n`),
      access: decideAccess({ host: '127.0.0.1' }),
      rooms: [browserHarness({ keys, page: await pageParts() })],
    });
    const send: Line['send'] = async (place, init) =>
      app.request(place, { ...init, headers: { ...init.headers, host: 'localhost' } });
    return { send, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function remote(server: string, terminal: Terminal): Line {
  if (!URL.canParse(server)) {
    throw new WaymarkError({ code: 'usage_server', message: `"${server}" is not the address of a server.` });
  }
  const token = terminal.env['WAYMARK_TOKEN'];
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return {
    send: async (place, init) => {
      try {
        return await fetch(new URL(place, server), { ...init, headers: { ...init.headers, ...authorization } });
      } catch (cause) {
        throw new WaymarkError({
          code: 'server_unreachable',
          message: `No server answers at ${server}.`,
          hint: 'Start one: waymark serve. Or name another with --server.',
          cause,
        });
      }
    },
    close: async () => undefined,
  };
}

function refusalOf(status: number, text: string): WaymarkError {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below.
  }
  const problem = problemSchema.safeParse(value);
  if (!problem.success) {
    return new WaymarkError({
      code: 'server_answer',
      message: `The server answered ${status}, and not as a Waymark server does.`,
    });
  }
  const { code, detail, hint, issues } = problem.data;
  // A newer server may refuse with a code that this version does not have; what it says is shown all the same.
  const known = isErrorCode(code) ? code : 'server_answer';
  const listed = issues.slice(0, 10).map(({ path: where, message }) => `\n  ${where}: ${message}`);
  return new WaymarkError({ code: known, message: `${detail}${listed.join('')}`, ...(hint ? { hint } : {}) });
}

/** A file that the command line names. */
export function readOperand(operands: readonly string[], what: string, terminal: Terminal): Buffer<ArrayBuffer> {
  const [file] = operands;
  if (file === undefined || operands.length > 1) {
    throw new WaymarkError({ code: 'usage_one_file', message: `Give one file: ${what}.` });
  }
  try {
    return readFileSync(path.resolve(terminal.cwd, file));
  } catch (cause) {
    throw new WaymarkError({ code: 'usage_no_such_file', message: `${file} can't be read.`, cause });
  }
}
