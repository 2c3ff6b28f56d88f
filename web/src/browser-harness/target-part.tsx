import { allRoles, type PresetName } from '../../../src/capture/formats.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import type { Change, Draft, TargetDraft } from './draft.ts';
import { textsOf } from './draft.ts';
import { nameOf, originOf } from './pack-request.ts';
import { Part, type PartState } from './part.tsx';
import { SelectorEditor } from './selector-editor.tsx';
import { TimingFields } from './timing-fields.tsx';
import type { KnownPreset, KnownPresets } from './use-presets.ts';

interface TargetProps {
  draft: Draft;
  change: Change;
  presets: KnownPresets;
  state: PartState;
}

const NAMES: Readonly<Record<PresetName, string>> = { chatgpt: 'ChatGPT', gemini: 'Gemini', custom: 'Custom' };

export function TargetPart({ draft, change, presets, state }: TargetProps) {
  const { preset: chosen, targets } = draft;
  const preset = presets[chosen];
  const target = targets[chosen];
  const set = (next: Partial<TargetDraft>) => change({ targets: { ...targets, [chosen]: { ...target, ...next } } });
  const isForeign = target.origin !== '' && originOf(target.origin) !== target.origin;
  return (
    <Part
      number={2}
      name="Target"
      state={state}
      about="The chat page that gets the prompts. The script runs on this origin only."
    >
      <div className="form">
        <fieldset>
          <legend>Page</legend>
          <div className="harness-presets">
            {Object.values(presets).map(({ name }) => (
              <label key={name} className="harness-preset">
                <input
                  type="radio"
                  name="preset"
                  value={name}
                  checked={name === chosen}
                  onChange={() => change({ preset: name })}
                />
                {NAMES[name]}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="form-row">
          <TextField
            label="Origin"
            required
            type="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://chat.example.com"
            value={target.origin}
            error={isForeign ? 'Scheme and host, such as https://chat.example.com.' : undefined}
            onChange={(origin) => set({ origin })}
            // The address of a chat is what people have at hand.
            onBlur={() => set({ origin: originOf(target.origin) ?? target.origin })}
          />
          <TextField
            label="Name of the provider"
            autoComplete="off"
            maxLength={100}
            placeholder={target.origin === '' ? 'the page’s host' : nameOf(target.origin)}
            value={target.displayName}
            onChange={(displayName) => set({ displayName })}
          />
        </div>
        <FixtureOffer preset={preset} onUse={set} />
      </div>
      {/* By its key: another preset begins anew, opened or closed. */}
      <SelectorEditor key={chosen} {...{ draft, preset, set }} />
      <TimingFields draft={draft} change={change} />
    </Part>
  );
}

function FixtureOffer({ preset, onUse }: { preset: KnownPreset; onUse: (next: Partial<TargetDraft>) => void }) {
  const { fixture } = preset;
  if (!fixture) return null;
  const { origin, selectors } = fixture;
  return (
    <p className="hint">
      This server offers a fixture page to try it on.{' '}
      <Button
        small
        onClick={() => onUse({ origin, ...(selectors ? { selectors: textsOf(allRoles(selectors)) } : {}) })}
      >
        Use the fixture page
      </Button>
    </p>
  );
}
