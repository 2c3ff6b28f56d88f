import type { ErrorCode } from './codes.ts';
import { WaymarkError } from './waymark-error.ts';

export class StoreRefusal extends WaymarkError {
  constructor(_status: number, code: ErrorCode, message: string, hint?: string) {
    super({ code, message, hint });
  }
}

export function notFound(what: 'run' | 'import' | 'provider' | 'schedule', id: string): StoreRefusal {
  return new StoreRefusal(404, `${what}_not_found`, `There is no ${what} ${id.slice(0, 100)}.`);
}
