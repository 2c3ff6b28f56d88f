/** The value of a flag that takes a number. */
import { WaymarkError } from '../errors/index.ts';

/** As a field of this name; none where the flag was not given. */
export function numberIn(text: string | undefined, name: string, flag: string): Record<string, number> {
  if (text === undefined) return {};
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return { [name]: value };
  throw new WaymarkError({ code: 'usage_number', message: `--${flag} takes a number, not "${text}".` });
}
