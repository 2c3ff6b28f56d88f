/**
 * Instances: each browser context has one, with a state of its own that is made from a seed. An instance is freed when the context is: Chromium
 * keeps the connections of a context open until it is disposed, and they belong to no other context.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Change, changesOf } from './changes.ts';
import type { Fault } from './faults.ts';
import type { Site, Views } from './site.ts';

/**
 * Instances without a connection that are kept. Chromium closes a connection that was idle for five minutes, and a slow model may think longer
 * than that: only the instances that lost their last connection longest ago are freed.
 */
const MAX_WITHOUT_CONNECTION = 128;
/** Made once for each site and seed, and copied for each instance. */
const MAX_BASES = 120;

export class Instance {
  readonly id = randomUUID();
  readonly seed: number;
  readonly views: Views = { seen: new Set() };
  /** Requests to the host of an attacker, with their query. */
  readonly leaks: string[] = [];
  readonly #bases: Bases;
  readonly #data = new Map<string, object>();
  #fault: Fault | undefined;

  constructor(seed: number, fault: Fault | undefined, bases: Bases) {
    this.seed = seed;
    this.#fault = fault;
    this.#bases = bases;
  }

  /** Copied when the site is first visited. */
  data(site: Site): object {
    const known = this.#data.get(site.name);
    if (known) return known;
    const made = structuredClone(this.#bases.of(site, this.seed));
    this.#data.set(site.name, made);
    return made;
  }

  readonly takeFault = (fault: Fault): boolean => {
    if (this.#fault !== fault) return false;
    this.#fault = undefined;
    return true;
  };

  /** Against what the seed gives; paths begin with the name of the site. */
  changes(sites: readonly Site[]): Change[] {
    const visited = sites.filter(({ name }) => this.#data.has(name));
    const states = (dataOf: (site: Site) => object) =>
      Object.fromEntries(visited.map((site) => [site.name, dataOf(site)]));
    const changed = changesOf(
      states((site) => this.#bases.of(site, this.seed)),
      states((site) => this.data(site)),
    );
    return [...changed, ...this.leaks.map((leak) => ({ path: 'leaks', was: null, is: leak }))];
  }

  /** Of all sites, visited or not. */
  state(sites: readonly Site[]): Record<string, unknown> {
    return Object.fromEntries(
      sites.map((site) => [site.name, this.#data.get(site.name) ?? this.#bases.of(site, this.seed)]),
    );
  }
}

/** The data that seeds give, the newest kept. */
class Bases {
  readonly #made = new Map<string, object>();

  of(site: Site, seed: number): object {
    const key = `${site.name} ${seed}`;
    const base = this.#made.get(key) ?? site.make(seed);
    this.#made.delete(key);
    this.#made.set(key, base);
    if (this.#made.size > MAX_BASES) this.#made.delete(this.#made.keys().next().value ?? '');
    return base;
  }
}

export class InstanceStore {
  readonly #bases = new Bases();
  readonly #instances = new Map<string, Instance>();
  readonly #connections = new Map<string, Set<Socket>>();
  /** Without a connection, the one that lost it longest ago first. */
  readonly #idle = new Set<string>();
  readonly #known = new WeakMap<Socket, Set<string>>();

  get size(): number {
    return this.#instances.size;
  }

  create(seed: number, fault: Fault | undefined): Instance {
    const instance = new Instance(seed, fault, this.#bases);
    this.#instances.set(instance.id, instance);
    return instance;
  }

  get(id: string | undefined): Instance | undefined {
    return id === undefined ? undefined : this.#instances.get(id);
  }

  /** A request of the instance came by this connection. */
  connect({ id }: Instance, socket: Socket): void {
    const connections = this.#connections.get(id) ?? new Set();
    this.#connections.set(id, connections.add(socket));
    this.#idle.delete(id);
    const known = this.#known.get(socket);
    if (known) {
      known.add(id);
      return;
    }
    const ids = new Set([id]);
    this.#known.set(socket, ids);
    socket.once('close', () => {
      for (const each of ids) this.#disconnect(each, socket);
    });
  }

  #disconnect(id: string, socket: Socket): void {
    const connections = this.#connections.get(id);
    connections?.delete(socket);
    if (connections === undefined || connections.size > 0) return;
    this.#connections.delete(id);
    this.#idle.add(id);
    if (this.#idle.size <= MAX_WITHOUT_CONNECTION) return;
    const [oldest = ''] = this.#idle;
    this.#idle.delete(oldest);
    this.#instances.delete(oldest);
  }
}
