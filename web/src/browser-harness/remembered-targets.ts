/** Targets that were entered here before, stored by this browser, so that the eight selectors need not be entered again. */
import { type PresetName, presets, ROLES } from '../../../src/capture/formats.ts';
import type { Draft, SelectorTexts, TargetDraft } from './draft.ts';

const KEY = 'waymark.browser-harness.targets';

export function rememberedTargets(): Draft['targets'] {
  const kept = read();
  const target = (name: PresetName): TargetDraft => {
    const { origin, display_name } = presets[name];
    return (
      kept[name] ?? { origin: origin ?? '', displayName: origin === null ? '' : display_name, selectors: undefined }
    );
  };
  const custom = target('custom');
  return {
    chatgpt: target('chatgpt'),
    gemini: target('gemini'),
    // A page of one's own has no selectors but those that are entered.
    custom: { ...custom, selectors: custom.selectors ?? noSelectors() },
  };
}

export function rememberTargets(targets: Draft['targets']): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(targets));
  } catch {
    // The storage is full or not allowed. Then the selectors must be entered again.
  }
}

export function noSelectors(): SelectorTexts {
  return Object.fromEntries(ROLES.map((role) => [role, ''])) as SelectorTexts;
}

function read(): Partial<Record<string, TargetDraft>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => isTarget(value)));
  } catch {
    // What was remembered is a convenience; without storage, or with broken entries, the form starts empty.
    return {};
  }
}

function isTarget(value: unknown): value is TargetDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { origin, displayName, selectors } = value as Record<string, unknown>;
  if (typeof origin !== 'string' || typeof displayName !== 'string') return false;
  if (selectors === undefined) return true;
  return (
    typeof selectors === 'object' &&
    selectors !== null &&
    ROLES.every((role) => typeof (selectors as Record<string, unknown>)[role] === 'string')
  );
}
