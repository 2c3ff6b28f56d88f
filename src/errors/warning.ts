/** Worth telling, not worth refusing. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly item_ids?: readonly string[];
}
