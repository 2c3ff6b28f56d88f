/** The server's answer when a pack is made, and the part of it that reaches the chat page. */
import type { Warning } from '../../errors/index.ts';
import type { Judge } from '../../runs/index.ts';
import type { NoticeRule, PresetName } from './presets.ts';
import type { Selectors } from './selectors.ts';
import type { Settings } from './settings.ts';

export type { Judge };

export const PACK_FORMAT = 'eval752.browser_harness.pack.v1';

export interface Target {
  readonly preset: PresetName;
  readonly origin: string;
  readonly display_name: string;
}

export interface PackItem {
  readonly id: string;
  readonly prompt_text: string;
}

/** The answer of `POST /browser-harness/packs`. */
export interface Pack {
  readonly pack_id: string;
  /** `version_hash` is keyed and differs from pack to pack: the version's own hash would let anyone try answers. */
  readonly dataset: { readonly id: string; readonly name: string; readonly version_hash: string };
  readonly sections: readonly string[];
  readonly items: readonly (PackItem & { readonly seq: number; readonly section: string })[];
  readonly excluded: readonly { readonly id: string; readonly reason: string }[];
  readonly scoring: { readonly programmatic: number; readonly judge_required: number; readonly unscorable: number };
  readonly dataset_token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly warnings: readonly Warning[];
}

/** Everything that reaches the third-party page: prompts, never answers or checkers. */
export interface RuntimePack {
  readonly format: typeof PACK_FORMAT;
  readonly pack_id: string;
  readonly dataset_token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly label: string;
  readonly target: Target;
  readonly judge: Judge | null;
  readonly items: readonly PackItem[];
  readonly preset_revision: string;
  readonly selectors: Selectors;
  readonly notices: readonly NoticeRule[];
  readonly settings: Partial<Settings>;
}
