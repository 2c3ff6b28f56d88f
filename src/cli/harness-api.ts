/**
 * The API for commands: of a server that runs, or of the data folder itself. The client is the web app's, so that a command can do no more
 * and no less than the web app.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openSigningKeys, SIGNING_KEYS_FILE } from '../capture/index.ts';
import { isErrorCode, WaymarkError } from '../errors/index.ts';
import { parseKeyVariables } from '../models/index.ts';
import { defineFurther, defineGrading, defineLaunching } from '../runs/index.ts';
import { type ApiClient, type ApiProblem, apiClient } from '../server/client.ts';
import { apiRoutes, createApp, decideAccess } from '../server/index.ts';
import { openArtifacts, openStore, Queue } from '../store/index.ts';
import type { Flag } from './command.ts';
import { storeFlags, storePlaces } from './store-flags.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

export const harnessFlags = {
  ...storeFlags,
  api: {
    type: 'string',
    value: '<http://…>',
    about:
      'the address of a Waymark server to ask instead of opening the data; its token, if it has one, in WAYMARK_TOKEN',
  },
  json: { type: 'boolean', about: 'print one JSON object and nothing else' },
} as const satisfies Record<string, Flag>;

/** Throws what the API refuses, with its code, message and hint. */
export interface HarnessApi extends ApiClient, AsyncDisposable {}

interface HarnessPlace {
  data?: string;
  database?: string;
  api?: string;
}

export async function openHarnessApi(flags: HarnessPlace, terminal: Terminal): Promise<HarnessApi> {
  const { send, close } = flags.api === undefined ? await inProcess(flags, terminal) : remote(flags.api, terminal);
  return { ...apiClient(send, refusal), [Symbol.asyncDispose]: close };
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
    await defineFurther(queue);
    await defineLaunching(queue);
    const keys = openSigningKeys(path.join(places.data, SIGNING_KEYS_FILE));
    const app = createApp({
      store,
      queue,
      artifacts: await openArtifacts(places.artifacts),
      version: version(),
      allowLocalProviders: false,
      keyAccess: parseKeyVariables(terminal.env['WAYMARK_KEY_VARIABLES']),
      stopping: new AbortController().signal,
      log: (line) => terminal.err(`${line}\n`),
      access: decideAccess({ host: '127.0.0.1' }),
      routeModules: [apiRoutes({ keys })],
    });
    const send: Line['send'] = async (place, init) =>
      app.request(place, { ...init, headers: { ...init.headers, host: 'localhost' } });
    return { send, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function remote(address: string, terminal: Terminal): Line {
  if (!URL.canParse(address)) {
    throw new WaymarkError({ code: 'usage_server', message: `"${address}" is not the address of a server.` });
  }
  const token = terminal.env['WAYMARK_TOKEN'];
  const authorization = token ? { authorization: `Bearer ${token}` } : {};
  return {
    send: async (place, init) => {
      try {
        return await fetch(new URL(place, address), { ...init, headers: { ...init.headers, ...authorization } });
      } catch (cause) {
        throw new WaymarkError({
          code: 'server_unreachable',
          message: `No server answers at ${address}.`,
          hint: 'Start one: waymark serve. Or name another with --api.',
          cause,
        });
      }
    },
    close: async () => undefined,
  };
}

/** A refusal of the server as the command line reports errors. */
function refusal({ code, message, hint, issues }: ApiProblem): WaymarkError {
  // A newer server may refuse with a code that this version does not have; what it says is shown all the same.
  const known = isErrorCode(code) ? code : 'server_answer';
  const listed = issues.slice(0, 10).map((issue) => `\n  ${issue.path}: ${issue.message}`);
  return new WaymarkError({ code: known, message: `${message}${listed.join('')}`, ...(hint ? { hint } : {}) });
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
