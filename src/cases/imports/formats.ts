/** The formats that can be imported, and what makes a task of a row of each. */
import { importBrowserosRow } from '../live-sites/browseros-task.ts';
import { importMind2webRow } from '../live-sites/online-mind2web-task.ts';
import { importWebvoyagerRow } from '../live-sites/webvoyager-task.ts';
import { importOwnRow } from '../own-rows/own-task.ts';
import { importRealRow } from '../real/real-task.ts';
import type { RowImporter } from '../rows/row-importer.ts';
import { importVerifiedRow } from '../webarena/verified-task.ts';
import { importLiteRow, importVisualRow, importWebarenaRow } from '../webarena/webarena-task.ts';

/** Formats whose rows are JSON. */
export const ROW_FORMATS = {
  webvoyager: importWebvoyagerRow,
  'online-mind2web': importMind2webRow,
  webarena: importWebarenaRow,
  'webarena-lite': importLiteRow,
  visualwebarena: importVisualRow,
  'webarena-verified': importVerifiedRow,
  real: importRealRow,
  browseros: importBrowserosRow,
  waymark: importOwnRow,
} as const satisfies Record<string, RowImporter>;

export type RowFormat = keyof typeof ROW_FORMATS;
/** `miniwob` is a folder of pages, `browsergym` a list of names. */
export type TaskFormat = RowFormat | 'miniwob' | 'browsergym';

export const TASK_FORMATS: readonly TaskFormat[] = [
  ...(Object.keys(ROW_FORMATS) as RowFormat[]),
  'miniwob',
  'browsergym',
];

export function isRowFormat(format: TaskFormat): format is RowFormat {
  return Object.hasOwn(ROW_FORMATS, format);
}
