/** Refusals of an archive: `invalid` is a broken file, `unsafe` is a known attack or exceeds a limit. Each names its rule. */
import { WaymarkError } from '../errors/index.ts';

export type InvalidRule =
  | 'magic'
  | 'truncated'
  | 'end_record'
  | 'directory'
  | 'local_header'
  | 'missing_entry'
  | 'crc'
  | 'encoding'
  | 'json'
  | 'schema'
  | 'format'
  | 'count_mismatch'
  | 'version_mismatch'
  | 'judge_mismatch';

export type UnsafeRule =
  | 'name_not_allowed'
  | 'name_traversal'
  | 'name_absolute'
  | 'name_backslash'
  | 'name_nul'
  | 'name_encoding'
  | 'duplicate_entry'
  | 'entry_count'
  | 'link'
  | 'folder'
  | 'encryption'
  | 'compression'
  | 'flags'
  | 'extra_field'
  | 'zip64'
  | 'multi_disk'
  | 'size_lie'
  | 'entry_too_large'
  | 'overlap'
  | 'gap'
  | 'line_too_long'
  | 'too_many_lines'
  | 'depth'
  | 'duplicate_key'
  | 'unsafe_key';

export function invalid(rule: InvalidRule, path: string, message: string): WaymarkError {
  return refuse('archive_invalid', rule, path, message);
}

export function unsafe(rule: UnsafeRule, path: string, message: string): WaymarkError {
  return refuse('archive_unsafe', rule, path, message);
}

function refuse(code: 'archive_invalid' | 'archive_unsafe', rule: string, path: string, message: string): WaymarkError {
  return new WaymarkError({
    code,
    message: `The file was refused (${rule}): ${message}`,
    issues: [{ path, code: rule, message }],
  });
}
