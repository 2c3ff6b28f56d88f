/** The settings that the agents of models share. */
import type { ObserveMode } from '../observe-modes.ts';

export interface ModelSettings {
  readonly observe: ObserveMode;
  /** Tokens that a conversation may take before old observations are left out. */
  readonly contextTokens: number;
  readonly temperature?: number | undefined;
}

/** Fits the models that agents are built on, and leaves room for a reply. */
export const DEFAULT_CONTEXT_TOKENS = 100_000;
