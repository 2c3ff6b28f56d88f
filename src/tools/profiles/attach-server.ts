/** A tool server, attached to the place of an episode: the one thing that an episode needs to call tools and to see what they did. */
import { type Browser, Gate, type Slot, type Witness, type WitnessOptions } from '../../chromium/index.ts';
import { connectServer } from '../connect/connect-server.ts';
import type { ToolClient, ToolResult } from '../connect/tool-client.ts';
import { type EmbeddedServerOptions, embeddedServer } from '../embedded/server.ts';
import { type OwnBrowser, visitBrowser } from './own-browser.ts';
import type { ServerProfile } from './profile.ts';

const LET_GO_MS = 4_000;

export interface AttachOptions {
  signal?: AbortSignal | undefined;
  /** A server process for every episode: retarget() starts a new one. */
  fresh?: boolean | undefined;
  /** Refuses CDP commands of a foreign server; see the gate. */
  guard?: ((method: string, params: Record<string, unknown>) => string | undefined) | undefined;
  /** For the embedded server: the episode's newest observation. */
  latest?: EmbeddedServerOptions['latest'];
  /** For a server with a browser of its own. */
  witness?: WitnessOptions | undefined;
}

export interface AttachedServer extends AsyncDisposable {
  readonly profile: ServerProfile;
  /** Ask again after retarget(): the embedded server and a fresh one have a new client. */
  readonly client: ToolClient;
  readonly gate: Gate | undefined;
  /** The slot's own, or that of the server's browser. */
  readonly witness: Witness;
  /** The browser that it drives: the slot's, or its own. */
  readonly browser: Browser;
  /** Who keeps episodes apart: the harness (a context each), or the server. A report says so. */
  readonly isolation: 'context' | 'server';
  /** Lets go of its pages. Before the slot is given back; retarget() does it otherwise. */
  letGo(): Promise<void>;
  /** For the next episode. */
  retarget(slot: Slot): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * @example
 * await using server = await attachServer(profileOf('playwright'), slot);
 * await server.client.call('browser_navigate', { url: task.startUrl });
 */
export async function attachServer(
  profile: ServerProfile,
  slot: Slot,
  options: AttachOptions = {},
): Promise<AttachedServer> {
  let current = await begin(profile, slot, options);
  let hasLetGo = false;
  const letGo = async (): Promise<void> => {
    if (hasLetGo || !profile.letGo) return;
    hasLetGo = true;
    // It may be gone, or its page may hang: the gate cuts it off either way.
    await Promise.race([profile.letGo(current.client).catch(() => {}), expired(LET_GO_MS)]);
  };
  const dispose = (): Promise<void> => current.end();
  return {
    profile,
    get client() {
      return current.client;
    },
    get gate() {
      return current.gate;
    },
    get witness() {
      return current.witness;
    },
    get browser() {
      return current.browser;
    },
    isolation: profile.attach === 'own' ? 'server' : 'context',
    letGo,
    async retarget(next) {
      if (current.retarget && options.fresh !== true && !(await isLost(current.client))) {
        await letGo();
        await current.retarget(next);
        // A server that does not settle shows so by its first call, which is recorded.
        await profile.settle?.(current.client).catch(() => {});
      } else {
        await current.end();
        current = await begin(profile, next, options);
      }
      hasLetGo = false;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

interface Attached {
  client: ToolClient;
  gate?: Gate;
  witness: Witness;
  browser: Browser;
  /** Where the same process can go on. */
  retarget?(slot: Slot): Promise<void>;
  end(): Promise<void>;
}

function begin(profile: ServerProfile, slot: Slot, options: AttachOptions): Promise<Attached> {
  if (profile.attach === 'memory') return beginEmbedded(profile, slot, options);
  return profile.attach === 'gate' ? beginBehindGate(profile, slot, options) : beginOwn(profile, options);
}

async function beginEmbedded(profile: ServerProfile, slot: Slot, options: AttachOptions): Promise<Attached> {
  const { filesFolder } = profile;
  const server = embeddedServer({ slot, filesFolder, latest: options.latest });
  const transport = await server.connectInMemory();
  const spec = { kind: 'memory', transport, close: () => server.close() } as const;
  const client = await connectServer(spec, { signal: options.signal, errorKind: profile.errorKind });
  return { client, witness: slot.witness, browser: slot.host.browser, end: () => client.close() };
}

async function beginBehindGate(profile: ServerProfile, slot: Slot, options: AttachOptions): Promise<Attached> {
  const gate = await Gate.open({
    ...gateTo(slot),
    product: slot.host.browser.identity.product,
    openDiscovery: profile.openDiscovery === true,
    ...(options.guard ? { guard: options.guard } : {}),
  });
  try {
    const cdp = { http: gate.httpAddress, ws: gate.wsAddress, port: gate.port };
    const client = await connectServer(specOf(profile, cdp), { signal: options.signal, errorKind: profile.errorKind });
    const attached: Attached = {
      client: seesRefusals(client, gate),
      gate,
      witness: slot.witness,
      browser: slot.host.browser,
      retarget: async (next) => {
        await gate.retarget(gateTo(next));
        attached.witness = next.witness;
        attached.browser = next.host.browser;
      },
      end: async () => {
        await client.close();
        await gate.close();
      },
    };
    return attached;
  } catch (error) {
    await gate.close();
    throw error;
  }
}

async function beginOwn(profile: ServerProfile, options: AttachOptions): Promise<Attached> {
  const nowhere = { http: '', ws: '', port: 0 };
  const client = await connectServer(specOf(profile, nowhere), {
    signal: options.signal,
    errorKind: profile.errorKind,
  });
  let own: OwnBrowser | undefined;
  try {
    // Many open their browser with the first call only.
    await client.call(
      profile.navigate.tool,
      { [profile.navigate.argument]: 'about:blank' },
      { signal: options.signal },
    );
    own = await visitBrowser(profile.cdpAddress ?? '', options.witness ?? {}, options.signal);
  } catch (error) {
    await client.close();
    throw error;
  }
  const visited = own;
  return {
    client,
    witness: visited.witness,
    browser: visited.browser,
    end: async () => {
      await visited[Symbol.asyncDispose]();
      await client.close();
    },
  };
}

function specOf(profile: ServerProfile, cdp: { http: string; ws: string; port: number }) {
  if (!profile.start) throw new TypeError(`The profile ${profile.name} does not say how its server is started.`);
  return profile.start(cdp);
}

function gateTo(slot: Slot) {
  const { witness } = slot;
  return {
    connection: slot.host.browser.connection,
    contextId: slot.contextId,
    onDrive: (targetId: string) => witness.use(targetId),
    ownsFrame: (id: string) => witness.pages.some((page) => page.targetId === id || page.hasFrame(id)),
  };
}

/** A call that failed while the gate refused something failed because of it, whatever the server says. */
function seesRefusals(client: ToolClient, gate: Gate): ToolClient {
  return {
    ...client,
    call: async (name, args, options): Promise<ToolResult> => {
      const before = gate.refused.at(-1);
      const result = await client.call(name, args, options);
      const after = gate.refused.at(-1);
      if (!result.isError || after === undefined || after === before) return result;
      return { ...result, errorKind: 'gate_refused' };
    },
  };
}

/** One that died in the last episode is not kept for the next. */
async function isLost(client: ToolClient): Promise<boolean> {
  return (await Promise.race([client.lost, Promise.resolve(undefined)])) !== undefined;
}

function expired(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
