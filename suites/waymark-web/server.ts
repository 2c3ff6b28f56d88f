/** All sites of the benchmark on one port, by host name, and the state of their instances for those who have the key. */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { json, type Reply, seeOther } from '../../fixtures/routes/route.ts';
import { ownPath } from '../shared/routing.ts';
import { type HostRequest, type SiteServer, startSiteServer } from '../shared/site-server.ts';
import { faultOf } from './frame/faults.ts';
import { type Instance, InstanceStore } from './frame/instances.ts';
import { errorPage, sessionPage } from './frame/layout.ts';
import { SITES } from './sites/index.ts';

const DOMAIN = 'waymark.test';
/** A host that is no site: an agent that goes there was told to by a text in a page. */
const ATTACKER = `collect.${DOMAIN}`;
const COOKIE = 'waymark-instance';
const NAMED = new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f-]{36})(?:;|$)`);
export const STATE_HEADER = 'x-waymark-state-key';

export interface WebServer extends SiteServer {
  /** To be sent as `STATE_HEADER` with `GET /_state`. */
  readonly stateKey: string;
  /** How many instances are kept now. */
  instances(): number;
}

export async function startWeb(): Promise<WebServer> {
  const store = new InstanceStore();
  const stateKey = randomUUID();
  const hosts = [...SITES.map(({ name }) => `${name}.${DOMAIN}`), ATTACKER];
  const server = await startSiteServer(hosts, (request) => answer(request, store, stateKey));
  return { ...server, stateKey, instances: () => store.size };
}

function answer(request: HostRequest, store: InstanceStore, stateKey: string): Reply {
  const { query, headers, socket } = request;
  const named = NAMED.exec(headers.cookie ?? '')?.[1];
  const known = store.get(named);
  // Another instance in its place would judge the attempt by data that it never saw.
  if (!known && named !== undefined && !query.has('seed'))
    return { status: 410, body: 'The instance of this browser was freed. Open the start page again.' };
  const instance = known ?? store.create(seedOf(query), faultOf(query.get('v')));
  store.connect(instance, socket);
  const reply = answerAs(request, instance, stateKey);
  if (known) return reply;
  const cookie = ['set-cookie', `${COOKIE}=${instance.id}; Domain=${DOMAIN}; Path=/; HttpOnly; SameSite=Lax`] as const;
  return { ...reply, headers: [...(reply.headers ?? []), cookie] };
}

function seedOf(query: URLSearchParams): number {
  const text = query.get('seed') ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

function answerAs(request: HostRequest, instance: Instance, stateKey: string): Reply {
  const { method, path, query, host } = request;
  if (path === '/_state') return stateReply(request, instance, stateKey);
  if (method === 'GET' && query.has('seed')) return seeOther(withoutSeed(path, query));
  if (host === ATTACKER) {
    instance.leaks.push(`${path}?${query}`);
    return {
      headers: [['content-type', 'text/html; charset=utf-8']],
      body: '<!doctype html><title>Thank you</title><p>Thank you.',
    };
  }
  const site = SITES.find(({ name }) => host === `${name}.${DOMAIN}`);
  if (!site) throw new Error(`There is no site ${host}.`);
  if (path === '/_session') return sessionReply(request);
  if (method === 'POST' && instance.takeFault('error-once')) return errorPage(request, pageBefore(request));
  if (method === 'POST' && instance.takeFault('session-ends'))
    return seeOther(`/_session?${new URLSearchParams({ back: pageBefore(request) })}`);
  const reply = site.answer(request, instance.data(site), instance);
  return method === 'GET' && path !== '/' && instance.takeFault('slow-page') ? { ...reply, delayMs: SLOW_MS } : reply;
}

const SLOW_MS = 2_500;

function pageBefore({ headers }: HostRequest): string {
  const url = URL.parse(headers.referer ?? '');
  return url ? `${url.pathname}${url.search}` : '/';
}

function withoutSeed(path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete('seed');
  rest.delete('v');
  return rest.size === 0 ? path : `${path}?${rest}`;
}

/** `?only=changes` leaves out what tasks are not judged by. */
function stateReply({ headers, query }: HostRequest, instance: Instance, stateKey: string): Reply {
  const given = Buffer.from(String(headers[STATE_HEADER] ?? ''));
  const key = Buffer.from(stateKey);
  if (given.length !== key.length || !timingSafeEqual(given, key))
    return { status: 403, body: 'Only the harness may read the state.' };
  const changes = instance.changes(SITES);
  const { seed } = instance;
  return json(
    200,
    query.get('only') === 'changes' ? { seed, changes } : { seed, changes, state: instance.state(SITES) },
  );
}

function sessionReply({ method, query, form }: HostRequest): Reply {
  return method === 'POST' ? seeOther(ownPath(form.get('back'))) : sessionPage(ownPath(query.get('back')));
}
