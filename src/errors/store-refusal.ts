/** Refusals that only a store can know of. Like HarnessProblem, with codes beside those of the interchange format. */
import { WaymarkError } from './waymark-error.ts';

export class StoreRefusal extends WaymarkError {
  readonly status: number;

  constructor(status: number, code: string, message: string, hint?: string) {
    super({ code, message, ...(hint === undefined ? {} : { hint }) });
    this.name = 'StoreRefusal';
    this.status = status;
  }
}

export function notFound(what: 'run' | 'import' | 'provider' | 'schedule', id: string): StoreRefusal {
  return new StoreRefusal(404, `${what}_not_found`, `There is no ${what} ${id.slice(0, 100)}.`);
}
