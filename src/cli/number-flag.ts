/** The values of flags that take numbers. */
import { WaymarkError } from '../errors/index.ts';

/** As a field of this name; none where the flag was not given. */
export function numberIn(text: string | undefined, name: string, flag: string): Record<string, number> {
  if (text === undefined) return {};
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return { [name]: value };
  throw new WaymarkError({ code: 'usage_number', message: `--${flag} takes a number, not "${text}".` });
}

export function dollars(given: string | undefined, flag: string): number | undefined {
  const { amount } = numberIn(given, 'amount', flag);
  if (amount === undefined || amount > 0) return amount;
  throw bad(`--${flag} takes an amount of US dollars above 0, but got "${given}".`);
}

export function count(given: string | undefined, flag: string, most?: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= (most ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = most === undefined ? 'from 1' : `from 1 to ${most.toLocaleString('en')}`;
  throw bad(`--${flag} takes a whole number ${range}, but got "${given}".`);
}

/** From 0. */
export function wholeNumber(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() !== '' && Number.isSafeInteger(value) && value >= 0) return value;
  throw bad(`--${flag} takes a whole number from 0, but got "${given}".`);
}

function bad(message: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message });
}
