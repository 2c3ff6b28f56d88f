import { WaymarkError } from './waymark-error.ts';

export function notFound(what: 'run' | 'import' | 'provider' | 'schedule', id: string): WaymarkError {
  return new WaymarkError({ code: `${what}_not_found`, message: `There is no ${what} ${id.slice(0, 100)}.` });
}
