/** Checks the shape of a pack before it is used, because a file that a user picked may contain anything. */
import { PACK_FORMAT, ROLES, type RuntimePack } from '../../src/capture/formats.ts';

export function readPack(value: unknown): RuntimePack | undefined {
  if (!isRecord(value) || value.format !== PACK_FORMAT) return undefined;
  const { target, items, selectors, notices, settings } = value;
  const isWhole =
    ['pack_id', 'dataset_token', 'expires_at', 'label', 'preset_revision'].every((name) => isText(value[name])) &&
    isRecord(target) &&
    ['preset', 'origin', 'display_name'].every((name) => isText(target[name])) &&
    isRecord(selectors) &&
    ROLES.every((role) => isListOf(selectors[role], isText)) &&
    isListOf(items, (item) => isRecord(item) && isText(item.id) && isText(item.prompt_text)) &&
    isListOf(notices, (rule) => isRecord(rule) && isText(rule.code) && isListOf(rule.phrases, isText)) &&
    isRecord(settings) &&
    Object.values(settings).every((setting) => typeof setting === 'number') &&
    (value.judge === null || isRecord(value.judge));
  return isWhole ? (value as unknown as RuntimePack) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}
