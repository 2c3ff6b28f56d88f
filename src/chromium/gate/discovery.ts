/** The HTTP part of a CDP address, as a browser with a debugging port serves it: which version it is, which pages there are, and the protocol. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { messageOf } from '../../errors/index.ts';
import type { Connection } from '../cdp/connection.ts';
import type { Protocol } from '../cdp/protocol.ts';
import { isWebUrl } from './web-url.ts';

export interface DiscoveryContext {
  connection: Connection;
  /** The browser's name, as the server sees it. */
  product: string;
  /** New pages open in it. */
  contextId: string;
  wsAddress(kind: 'browser' | 'page', id: string): string;
  isOurs(info: Protocol.Target.TargetInfo): boolean;
  onDrive(targetId: string): void;
  makePage(send: () => Promise<unknown>): Promise<unknown>;
}

export interface DiscoveryAnswer {
  status: number;
  /** A string is sent as it is. */
  body: unknown;
}

const TIMEOUT = { timeoutMs: 3_000 };

/** The path is the part after the secret. */
export async function answerDiscovery(
  method: string,
  path: string,
  context: DiscoveryContext,
): Promise<DiscoveryAnswer> {
  const { pathname, search } = new URL(path, 'http://gate');
  const [, json, verb = 'list', id = ''] = pathname.replace(/\/+$/, '').split('/');
  if (json !== 'json') return notFound();
  // As in Chromium: a page of the web can send GET to any address, but not PUT.
  if (verb === 'new' && method !== 'PUT') return { status: 405, body: { error: 'use PUT to open a page' } };
  try {
    const body = await bodyOf(verb, id, decodeURIComponent(search.slice(1)), context);
    return body === undefined ? notFound() : { status: 200, body };
  } catch (error) {
    return { status: 500, body: { error: messageOf(error) } };
  }
}

/** The id of the page in the path of a page's socket. */
export function pageOfPath(path: string): string | undefined {
  return /^\/devtools\/page\/([^/?]+)\/?$/.exec(path)?.[1];
}

async function bodyOf(verb: string, id: string, query: string, context: DiscoveryContext): Promise<unknown> {
  const { product, wsAddress } = context;
  if (verb === 'version') {
    const webSocketDebuggerUrl = wsAddress('browser', 'waymark');
    return { Browser: product, 'Protocol-Version': '1.3', webSocketDebuggerUrl };
  }
  if (verb === 'protocol') return protocol();
  if (verb === 'list') return (await targets(context)).map((info) => entryOf(info, context));
  if (verb === 'new') return openPage(query, context);
  const info = (await targets(context)).find(({ targetId }) => targetId === id);
  if (!info) return undefined;
  const { root } = context.connection;
  if (verb === 'activate') {
    await root.send('Target.activateTarget', { targetId: id }, TIMEOUT);
    context.onDrive(id);
    return 'Target activated';
  }
  if (verb !== 'close') return undefined;
  await root.send('Target.closeTarget', { targetId: id }, TIMEOUT);
  return 'Target is closing';
}

async function targets({ connection, isOurs }: DiscoveryContext): Promise<Protocol.Target.TargetInfo[]> {
  const { targetInfos } = await connection.root.send('Target.getTargets', {}, TIMEOUT);
  return targetInfos.filter((info) => isOurs(info));
}

async function openPage(url: string, context: DiscoveryContext): Promise<unknown> {
  const wanted = url === '' ? 'about:blank' : url;
  if (!isWebUrl(wanted)) return undefined;
  let targetId = '';
  await context.makePage(async () => {
    const params = { url: wanted, browserContextId: context.contextId };
    ({ targetId } = await context.connection.root.send('Target.createTarget', params, TIMEOUT));
  });
  const info = (await targets(context)).find((each) => each.targetId === targetId);
  return info && entryOf(info, context);
}

function entryOf({ targetId, title, type, url }: Protocol.Target.TargetInfo, { wsAddress }: DiscoveryContext) {
  return { description: '', id: targetId, title, type, url, webSocketDebuggerUrl: wsAddress('page', targetId) };
}

let described: Promise<string> | undefined;

/** Some clients make their methods from it. It describes more than the gate allows. */
function protocol(): Promise<string> {
  described ??= readProtocol();
  return described;
}

async function readProtocol(): Promise<string> {
  const require = createRequire(import.meta.url);
  const parts = ['browser_protocol', 'js_protocol'].map(async (name) => {
    const text = await readFile(require.resolve(`devtools-protocol/json/${name}.json`), 'utf8');
    return JSON.parse(text) as { version: unknown; domains: unknown[] };
  });
  const [first, second] = await Promise.all(parts);
  return JSON.stringify({ version: first?.version, domains: [...(first?.domains ?? []), ...(second?.domains ?? [])] });
}

function notFound(): DiscoveryAnswer {
  return { status: 404, body: { error: 'not found' } };
}
