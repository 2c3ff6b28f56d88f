/** The presets, by name. */
import type { Preset } from '../preset.ts';
import { gemini } from './gemini.ts';

export const PRESETS: Readonly<Record<string, Preset>> = { gemini };
