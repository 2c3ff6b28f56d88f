/** Makes the input of the in-page script from the server's answer and the user's choices. */
import { type Judge, PACK_FORMAT, type Pack, type RuntimePack, type Target } from './pack.ts';
import type { Preset } from './presets.ts';
import type { Selectors } from './selectors.ts';
import type { Settings } from './settings.ts';

/** The part of the server's answer that goes to the page. */
type MadePack = Pick<Pack, 'pack_id' | 'dataset_token' | 'expires_at'> & {
  readonly dataset: Pick<Pack['dataset'], 'name'>;
  readonly items: RuntimePack['items'];
};

interface Choice {
  readonly preset: Pick<Preset, 'revision' | 'selectors' | 'notices'>;
  /** As in the request; the token contains it too. */
  readonly target: Target;
  readonly judge?: Judge | null | undefined;
  /** Replaces the preset's selectors, role by role. A missing role is an empty list. */
  readonly selectors?: Partial<Selectors> | undefined;
  readonly settings?: Partial<Settings> | undefined;
}

export function runtimePack(made: MadePack, { preset, target, judge, selectors, settings }: Choice): RuntimePack {
  return {
    format: PACK_FORMAT,
    pack_id: made.pack_id,
    dataset_token: made.dataset_token,
    expires_at: made.expires_at,
    label: made.dataset.name,
    target,
    judge: judge ?? null,
    items: made.items,
    // This shows an import that these are not the preset's selectors.
    preset_revision: selectors ? `${preset.revision}+edited` : preset.revision,
    selectors: selectors ? allRoles(selectors) : preset.selectors,
    notices: preset.notices,
    settings: settings ?? {},
  };
}

export function allRoles(selectors: Partial<Selectors>): Selectors {
  return {
    composer: selectors.composer ?? [],
    send: selectors.send ?? [],
    busy: selectors.busy ?? [],
    assistant_turn: selectors.assistant_turn ?? [],
    assistant_body: selectors.assistant_body ?? [],
    done: selectors.done ?? [],
    new_chat: selectors.new_chat ?? [],
    model_label: selectors.model_label ?? [],
  };
}
