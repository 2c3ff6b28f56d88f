/** The schema of the chat page that a pack is for. */
import { z } from 'zod';
import { PRESET_NAMES, type PresetName, presets } from './formats.ts';

export const presetSchema = z.enum(PRESET_NAMES);

/** Scheme, host and port, exactly as in `window.location.origin`. */
export const originSchema = z
  .string()
  .max(300)
  .refine(isOrigin, { error: 'must be an origin as the browser writes it, such as https://chatgpt.com' });

export const displayNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name), { error: 'must not hold control characters' });

export function defaultDisplayName(preset: PresetName, origin: string): string {
  const known = presets[preset];
  return known.origin === null ? new URL(origin).host : known.display_name;
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return origin === text && (protocol === 'https:' || protocol === 'http:');
}
