/** The presets, by name. */
import type { Preset } from '../preset.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { qwen } from './qwen.ts';

export const PRESETS: Readonly<Record<string, Preset>> = { codex, claude, gemini, opencode, qwen };
