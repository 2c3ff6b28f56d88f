/** Why an item has no complete answer. */
import type { ItemErrorCode } from '../../src/capture/formats.ts';

export class ItemError extends Error {
  readonly code: ItemErrorCode;
  /** Going on would only do harm: the site said no, or the user did. */
  readonly endsRun: boolean;

  constructor(code: ItemErrorCode, message: string, endsRun = false) {
    super(message);
    this.code = code;
    this.endsRun = endsRun;
  }
}
