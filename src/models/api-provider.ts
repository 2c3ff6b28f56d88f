/** A stored provider, as far as calls need it. */
import type { ModelKind } from './provider-kinds.ts';

/** Of a key that a stored provider names: its variable must be one that was allowed at the start, and it goes to one origin only. */
export interface KeyBinding {
  /** Where it was sent first; null: it is not bound yet. */
  readonly origin: string | null;
}

export interface ApiProvider {
  readonly id: string;
  readonly kind: ModelKind;
  readonly baseUrl: string;
  /** The name of an environment variable. Null: the endpoint takes no key. Keys are read when they are used, and kept nowhere. */
  readonly keyEnv: string | null;
  /** Undefined: the person who started the program has named the variable and the address. */
  readonly binding?: KeyBinding | undefined;
}
