/** The page's parts as CSS lists, for editing, with the problems at each field, and a script that tests them on the page. */
import { useState } from 'react';
import { ROLES, type Role } from '../../../src/capture/formats.ts';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { type Draft, type SelectorTexts, selectorsOf, type TargetDraft, textsOf } from './draft.ts';
import { selectorIssues } from './pack-request.ts';
import { noSelectors } from './remembered-targets.ts';
import { SelectorTestBox } from './selector-test-box.tsx';
import type { KnownPreset } from './use-presets.ts';

const ABOUT: Readonly<Record<Role, readonly [label: string, hint: string]>> = {
  composer: ['Composer', 'Required. The field that prompts are written into.'],
  send: ['Send', 'Required. The button that sends.'],
  busy: ['Busy', 'Visible while an answer is being written. Required, unless there is a quiet time.'],
  assistant_turn: ['Assistant turn', 'Required. One answer, with everything that belongs to it.'],
  assistant_body: ['Assistant text', 'Inside a turn: where its text is. If it is empty, the whole turn is read.'],
  done: ['Done', 'Appears when an answer is finished.'],
  new_chat: ['New chat', 'The link or button that starts an empty chat.'],
  model_label: ['Model label', 'Where the page says which model answers.'],
};

interface EditorProps {
  draft: Draft;
  preset: KnownPreset;
  set: (next: Partial<TargetDraft>) => void;
}

export function SelectorEditor({ draft, preset, set }: EditorProps) {
  const { origin, selectors: edited } = draft.targets[preset.name];
  const isCustom = preset.name === 'custom';
  const [isOpen, setOpen] = useState(isCustom || edited !== undefined);
  const texts = edited ?? textsOf(preset.selectors);
  const issues = selectorIssues(texts, draft.timing.quiet);
  const errorOf = (role: Role): string | undefined => {
    const found = issues.filter(({ path }) => path === `selectors.${role}` || path.startsWith(`selectors.${role}[`));
    return found.map(({ path, message }) => sayLine(path, message)).join(' ') || undefined;
  };
  const change = (role: Role, text: string): void =>
    set({ selectors: { ...texts, [role]: text } satisfies SelectorTexts });
  return (
    <details className="harness-details" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Selectors <span className="muted">{datesOf(preset, edited !== undefined)}</span>
      </summary>
      <div className="harness-details-body">
        {preset.remarks.length > 0 && (
          <ul className="hint">
            {preset.remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        )}
        <p className="hint">CSS selectors, one per line. The first one that matches a visible element is used.</p>
        <div className="harness-selectors">
          {ROLES.map((role) => (
            <TextArea
              key={role}
              label={ABOUT[role][0]}
              hint={ABOUT[role][1]}
              rows={Math.max(2, texts[role].split('\n').length)}
              spellCheck={false}
              autoCapitalize="off"
              value={texts[role]}
              error={errorOf(role)}
              onChange={(text) => change(role, text)}
            />
          ))}
        </div>
        <div className="actions">
          <Button onClick={() => set({ selectors: isCustom ? noSelectors() : undefined })}>
            {isCustom ? 'Clear all' : 'Reset to the preset'}
          </Button>
        </div>
        <SelectorTestBox origin={origin} selectors={selectorsOf(texts)} hasIssues={issues.length > 0} />
      </div>
    </details>
  );
}

/** When the selectors were last compared with the live page. Unverified selectors are marked as such. */
function datesOf({ name, seen_on, verified_on }: KnownPreset, isEdited: boolean): string {
  if (name === 'custom') return 'entered by hand';
  const verified = verified_on === null ? 'not verified on the live page yet' : `verified on ${verified_on}`;
  return `${isEdited ? 'edited here · preset ' : ''}${verified}${seen_on === null ? '' : `, markup seen ${seen_on}`}`;
}

/** `selectors.send[1]` is line 2 of its field. */
function sayLine(path: string, message: string): string {
  const index = /\[(\d+)\]$/.exec(path)?.[1];
  return index === undefined ? message : `Line ${Number(index) + 1}: ${message}`;
}
