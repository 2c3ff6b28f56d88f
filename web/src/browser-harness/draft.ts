/** The user's input so far, as it is in the fields. */
import {
  allRoles,
  DEFAULT_SETTINGS,
  type PresetName,
  ROLES,
  type Role,
  type Selectors,
  type Settings,
} from '../../../src/capture/formats.ts';

/** One selector per line. */
export type SelectorTexts = Readonly<Record<Role, string>>;

export interface TargetDraft {
  readonly origin: string;
  readonly displayName: string;
  /** Undefined: the preset's own. */
  readonly selectors: SelectorTexts | undefined;
}

export interface Draft {
  readonly datasetId: string;
  /** Undefined: all of them. */
  readonly sections: readonly string[] | undefined;
  readonly maxItems: string;
  readonly preset: PresetName;
  /** Each keeps what was entered while another is looked at. */
  readonly targets: Readonly<Record<PresetName, TargetDraft>>;
  /** Seconds. */
  readonly timing: { readonly quiet: string; readonly pace: string; readonly timeout: string };
  readonly judge: { readonly providerId: string; readonly model: string; readonly prompt: string };
  readonly ttlDays: '1' | '7' | '30';
}

export type Change = (change: Partial<Draft>) => void;

const seconds = (ms: number): string => String(ms / 1000);

const DEFAULT_TIMING: Draft['timing'] = {
  quiet: seconds(DEFAULT_SETTINGS.quiet_ms),
  pace: seconds(DEFAULT_SETTINGS.pace_ms),
  timeout: seconds(DEFAULT_SETTINGS.item_timeout_ms),
};

export function newDraft(datasetId: string, targets: Draft['targets']): Draft {
  return {
    datasetId,
    sections: undefined,
    maxItems: '',
    preset: 'chatgpt',
    targets,
    timing: DEFAULT_TIMING,
    judge: { providerId: '', model: '', prompt: '' },
    ttlDays: '7',
  };
}

export function textsOf(selectors: Selectors): SelectorTexts {
  return Object.fromEntries(ROLES.map((role) => [role, selectors[role].join('\n')])) as SelectorTexts;
}

/** Lines that are empty don't count. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function selectorsOf(texts: SelectorTexts): Selectors {
  return allRoles(Object.fromEntries(ROLES.map((role) => [role, linesOf(texts[role])])));
}

/** Undefined: not a number of seconds that can be meant. */
export function millisecondsOf(text: string, atLeast = 0): number | undefined {
  const ms = Math.round(Number(text) * 1000);
  return text.trim() !== '' && ms >= atLeast && ms <= 3_600_000 ? ms : undefined;
}

/** Only what differs from the runtime's defaults, because the length of a bookmarklet is limited. */
export function settingsOf({ timing }: Draft): Partial<Settings> {
  const given = {
    quiet_ms: millisecondsOf(timing.quiet),
    pace_ms: millisecondsOf(timing.pace),
    item_timeout_ms: millisecondsOf(timing.timeout),
  };
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, ms]) => ms !== undefined && ms !== DEFAULT_SETTINGS[name as keyof typeof given],
    ),
  );
}

/** How long a run takes, in milliseconds. How long a page takes to answer is a guess, and said to be one. */
export const ANSWER_MS = 10_000;
export function estimate(items: number, { timing }: Draft): number | undefined {
  const [quiet, pace] = [millisecondsOf(timing.quiet), millisecondsOf(timing.pace)];
  return quiet === undefined || pace === undefined ? undefined : items * (ANSWER_MS + quiet + pace);
}
