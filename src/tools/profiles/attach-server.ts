/** A tool server that is attached to the slot of an episode: everything that an episode needs to call tools and to observe their effects. */
import {
  type Browser,
  Gate,
  type PageSet,
  type Protocol,
  type Slot,
  type Witness,
  type WitnessOptions,
  writeChromiumWrapper,
} from '../../chromium/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import { performAction } from '../canonical/perform.ts';
import { newRenderContext } from '../canonical/plan.ts';
import { connectServer } from '../connect/connect-server.ts';
import { startFailed } from '../connect/errors.ts';
import { freePort } from '../connect/free-port.ts';
import { ProcessFolder } from '../connect/process-folder.ts';
import type { ServerSpec } from '../connect/server-spec.ts';
import type { ToolClient, ToolResult } from '../connect/tool-client.ts';
import { embeddedServer } from '../embedded/server.ts';
import { checkTools } from './check-tools.ts';
import { type OwnBrowser, visitBrowser } from './own-browser.ts';
import type { CdpAddress, ServerProfile } from './profile.ts';

const LET_GO_MS = 4_000;

export interface AttachOptions {
  signal?: AbortSignal | undefined;
  /** One server process per episode: `retarget` starts a new one. */
  fresh?: boolean | undefined;
  /** Refuses CDP commands of a foreign server; see the gate. */
  guard?: ((method: string, params: Record<string, unknown>) => string | undefined) | undefined;
  /** For a server that has its own browser. */
  witness?: WitnessOptions | undefined;
  /** Told, when the server's start takes long, what is being waited for. */
  onSlowStart?: ((sentence: string) => void) | undefined;
}

/** A connection to the server that shows only the tabs of one lane. */
export interface LaneConnection {
  readonly client: ToolClient;
  readonly pages: PageSet;
  close(): Promise<void>;
}

export interface AttachedServer extends AsyncDisposable {
  readonly profile: ServerProfile;
  /** Read it again after `retarget`, because the embedded server and a new process have a new client. */
  readonly client: ToolClient;
  readonly gate: Gate | undefined;
  /** The slot's witness, or that of the server's own browser. */
  readonly witness: Witness;
  /** The browser that it drives: the slot's browser or its own. */
  readonly browser: Browser;
  /** Whether the harness isolates the episodes (one context each) or the server does. Reports show it. */
  readonly isolation: 'context' | 'server';
  /** Opens another lane on the same slot. Throws `executor_unsupported` where the harness cannot start the server twice on one browser. */
  openLane(signal?: AbortSignal): Promise<LaneConnection>;
  /** Releases its pages. Call it before the slot is released; `retarget` does it otherwise. */
  letGo(): Promise<void>;
  /** Attaches the server to the slot of the next episode. */
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
    // The server may have ended, or its page may hang. The gate disconnects it in both cases.
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
    openLane: (signal) => openLane(profile, current, options, signal),
    letGo,
    async retarget(next) {
      const isKept = options.fresh !== true && profile.freshProcess !== true;
      if (current.retarget && isKept && !(await isLost(current.client))) {
        await letGo();
        await current.retarget(next);
        await makeFirstCalls(profile, current.client, options.signal);
        // If the server is not ready, its first call fails, and that call is recorded.
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
  /** Undefined for a server that has its own browser. */
  slot?: Slot;
  client: ToolClient;
  gate?: Gate;
  witness: Witness;
  browser: Browser;
  /** Present when the same process can be used again. */
  retarget?(slot: Slot): Promise<void>;
  end(): Promise<void>;
}

function begin(profile: ServerProfile, slot: Slot, options: AttachOptions): Promise<Attached> {
  if (profile.attach === 'memory') return beginEmbedded(profile, slot, options);
  return profile.attach === 'gate' ? beginBehindGate(profile, slot, options) : beginOwn(profile, options);
}

async function beginEmbedded(profile: ServerProfile, slot: Slot, options: AttachOptions): Promise<Attached> {
  const { close: end, ...lane } = await embeddedLane(profile, slot, slot.witness.main, options);
  return { ...lane, slot, witness: slot.witness, browser: slot.host.browser, end };
}

/** The embedded server in memory, for the tabs of one lane. */
async function embeddedLane(
  profile: ServerProfile,
  slot: Slot,
  pages: PageSet,
  options: AttachOptions,
): Promise<LaneConnection> {
  const server = embeddedServer({ slot, pages, filesFolder: profile.filesFolder });
  const transport = await server.connectInMemory();
  const spec = { kind: 'memory', transport, close: () => server.close() } as const;
  const client = await connectServer(spec, { signal: options.signal, errorKind: profile.errorKind });
  return { client, pages, close: () => client.close() };
}

async function openLane(
  profile: ServerProfile,
  { slot }: Attached,
  options: AttachOptions,
  signal: AbortSignal | undefined,
): Promise<LaneConnection> {
  const spec = profile.start?.(NOWHERE);
  const isShared = spec?.kind === 'http' && spec.program === undefined;
  if (!slot || isShared) {
    throw new WaymarkError({
      code: 'executor_unsupported',
      message: `The server ${profile.name} ${isShared ? 'is reached at one URL' : 'has its own browser'}, so executors cannot be isolated in it.`,
      hint: 'Use a server that Waymark starts with a command, or use an agent without executors.',
    });
  }
  const pages = await slot.witness.openLane(signal);
  if (profile.attach === 'memory') return embeddedLane(profile, slot, pages, { ...options, signal });
  const { client, end } = await beginBehindGate(profile, slot, { ...options, signal }, pages);
  return { client, pages, close: end };
}

async function beginBehindGate(
  profile: ServerProfile,
  slot: Slot,
  options: AttachOptions,
  pages: PageSet = slot.witness.main,
): Promise<Attached> {
  const gate = await Gate.open({
    ...gateTo(slot, pages),
    product: slot.host.browser.identity.product,
    openDiscovery: profile.openDiscovery === true,
    ...(options.guard ? { guard: options.guard } : {}),
  });
  // The program that stands for the browser has a folder of its own, which goes with the server.
  const folder = profile.launchesBrowser ? new ProcessFolder() : undefined;
  const close = async (): Promise<void> => {
    await gate.close();
    folder?.remove();
  };
  try {
    const cdp = {
      http: gate.httpAddress,
      ws: gate.wsAddress,
      port: gate.port,
      chromium: folder ? writeChromiumWrapper(folder.work, gate.httpAddress) : '',
      mcpPort: await freePort(),
    };
    const client = await startServer(specOf(profile, cdp), profile, options);
    const attached: Attached = {
      slot,
      client: seesRefusals(client, gate),
      gate,
      witness: slot.witness,
      browser: slot.host.browser,
      retarget: async (next) => {
        await gate.retarget(gateTo(next));
        attached.slot = next;
        attached.witness = next.witness;
        attached.browser = next.host.browser;
      },
      end: async () => {
        await client.close();
        await close();
      },
    };
    return attached;
  } catch (error) {
    await close();
    throw error;
  }
}

/** Connects to the server, refuses one whose tools do not fit the profile, and makes the calls that it needs before an episode. */
async function startServer(spec: ServerSpec, profile: ServerProfile, options: AttachOptions): Promise<ToolClient> {
  const { signal, onSlowStart } = options;
  const { errorKind, startMs } = profile;
  const client = await connectServer(spec, { signal, errorKind, startMs, onSlowStart });
  try {
    checkTools(profile, client);
    await makeFirstCalls(profile, client, signal);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function makeFirstCalls(
  { name, firstCalls = [] }: ServerProfile,
  client: ToolClient,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const { tool, args } of firstCalls) {
    const { isError, text } = await client.call(tool, args, { signal });
    if (!isError) continue;
    throw startFailed(`the tool server ${name}`, `its first call ${tool} failed: ${text.slice(0, 500)}`);
  }
}

async function beginOwn(profile: ServerProfile, options: AttachOptions): Promise<Attached> {
  const client = await startServer(specOf(profile, { ...NOWHERE, mcpPort: await freePort() }), profile, options);
  let own: OwnBrowser | undefined;
  try {
    // Many servers open their browser only at the first call.
    const toBlank = { action: 'navigate', url: 'about:blank' } as const;
    await performAction(toBlank, profile, client, newRenderContext(client), { signal: options.signal });
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

function specOf(profile: ServerProfile, cdp: CdpAddress): ServerSpec {
  if (!profile.start) throw new TypeError(`The profile ${profile.name} does not say how its server is started.`);
  return profile.start(cdp);
}

const NOWHERE: CdpAddress = { http: '', ws: '', port: 0, chromium: '', mcpPort: 0 };

function gateTo(slot: Slot, lane?: PageSet) {
  const { witness } = slot;
  const pages = lane ?? witness.main;
  return {
    connection: slot.host.browser.connection,
    contextId: slot.contextId,
    contexts: slot,
    onDrive: (targetId: string) => witness.use(targetId),
    ownsFrame: (id: string) => pages.pages.some((page) => page.targetId === id || page.hasFrame(id)),
    ownsTarget: (info: Protocol.Target.TargetInfo) => witness.owns(pages, info),
    makePage: (send: () => Promise<unknown>) => witness.makeFor(pages, send),
    useClipboard: (send: () => Promise<unknown>) => slot.clipboard.use(send),
  };
}

/** A call that failed while the gate refused a command failed because of that, whatever the server reports. */
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

/** A server that died in the last episode is not used for the next one. */
async function isLost(client: ToolClient): Promise<boolean> {
  return (await Promise.race([client.lost, Promise.resolve(undefined)])) !== undefined;
}

function expired(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
