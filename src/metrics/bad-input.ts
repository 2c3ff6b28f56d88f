/** Rejects invalid numbers at once instead of returning NaN. */
import { WaymarkError } from '../errors/index.ts';

export function requireCount(name: string, value: number, min = 0): void {
  if (!Number.isInteger(value) || value < min) refuse(name, value, `an integer of at least ${min}`);
}

export function requireFraction(name: string, value: number): void {
  if (!(value > 0 && value < 1)) refuse(name, value, 'between 0 and 1, both excluded');
}

export function refuse(name: string, value: unknown, wanted: string): never {
  throw new WaymarkError({
    code: 'usage_bad_statistic_input',
    message: `${name} is ${String(value)}, but should be ${wanted}.`,
    hint: 'Check what is counted before it is handed to the statistic.',
  });
}
