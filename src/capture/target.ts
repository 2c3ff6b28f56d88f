/** Which chat page a pack is for. The presets' selectors are data of the page's own runtime; here only their names count. */
import { z } from 'zod';

export const PRESETS = ['chatgpt', 'gemini', 'custom'] as const;
export type PresetName = (typeof PRESETS)[number];

export const presetSchema = z.enum(PRESETS);

/** Scheme, host and port, exactly as `window.location.origin` writes it. */
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

export const targetSchema = z.object({ preset: presetSchema, origin: originSchema, display_name: displayNameSchema });
export type Target = z.infer<typeof targetSchema>;

export function defaultDisplayName(preset: PresetName, origin: string): string {
  if (preset === 'chatgpt') return 'ChatGPT Web';
  if (preset === 'gemini') return 'Gemini Web';
  return new URL(origin).host;
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return origin === text && (protocol === 'https:' || protocol === 'http:');
}
