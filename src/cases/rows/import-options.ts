/** What the user says beside the rows. */
import type { Sites } from './sites.ts';

export interface ImportOptions {
  readonly sites: Sites;
  /** Tasks may change something on the public site that they start on. */
  readonly allowWrites?: boolean | undefined;
  /** Of WebVoyager: reference answers by the id of the row. */
  readonly answers?: ReadonlyMap<string, string> | undefined;
}
