/**
 * The formats of chat pages, declared once: the pack, the selectors and presets, the script that is made of them, and the capture that comes
 * back. Plain types and values without a library or a Node built-in: the in-page script, the web app and the server import this file as code.
 * The field names are those of the interchange format (`eval752…`) and must not change.
 */
export {
  CAPTURE_FORMAT,
  type Capture,
  type Flag,
  ITEM_ERROR_CODES,
  type ItemErrorCode,
  type ItemResult,
  RUNTIME_REVISION,
} from './formats/capture.ts';
export {
  bookmarklet,
  bookmarkletLength,
  bookmarkletLoader,
  MAX_BOOKMARKLET,
  packFile,
  packForPage,
  rawScript,
  type SelectorTest,
  testBookmarklet,
  testScript,
} from './formats/embed.ts';
export {
  PACK_FORMAT,
  type Pack,
  type PackItem,
  type RuntimePack,
  type Target,
} from './formats/pack.ts';
export { type NoticeRule, PRESET_NAMES, type Preset, type PresetName, presets } from './formats/presets.ts';
export { allRoles, runtimePack } from './formats/runtime-pack.ts';
export {
  MAX_SELECTOR,
  MAX_SELECTORS,
  ROLES,
  type Role,
  SELECTOR_ISSUE_CODES,
  type SelectorIssue,
  type Selectors,
  validateSelectors,
} from './formats/selectors.ts';
export { DEFAULT_SETTINGS, type Settings } from './formats/settings.ts';
