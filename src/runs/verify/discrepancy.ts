/** What `verify` finds: something that is recorded otherwise than the rest of the run says. */
export interface Discrepancy {
  /** The event's number in its journal; absent where no event is to blame. */
  seq?: number;
  /** Relative to the run's folder, where a file is meant. */
  file?: string;
  what:
    | 'verdict'
    | 'evidence'
    | 'reward'
    | 'state'
    | 'task_hash'
    | 'contract_hash'
    | 'status'
    | 'order'
    | 'result'
    | 'journal'
    | 'picture'
    | 'app_state'
    | 'attempt'
    | 'plan'
    | 'report'
    | 'chain'
    | 'manifest'
    | 'signature';
  recorded: unknown;
  again: unknown;
}
