/** A stored provider, as far as calls need it. */
import type { ModelKind } from './provider-kinds.ts';

export interface ApiProvider {
  readonly id: string;
  readonly kind: ModelKind;
  readonly baseUrl: string;
  /** The name of an environment variable. Null: the endpoint takes no key. Keys are read when they are used, and kept nowhere. */
  readonly keyEnv: string | null;
}
