/** `waymark export`: a run in a format that other programs read. */
import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { fileNotWritten } from '../../journal/index.ts';
import { readRunFile } from '../folder/run-file.ts';
import { exportAtif } from './export-atif.ts';
import { exportCsv } from './export-csv.ts';
import { makeFolder } from './export-files.ts';
import { exportOnlineMind2Web } from './export-online-mind2web.ts';
import { type OtlpOptions, sendOtlp, writeOtlp } from './export-otlp.ts';
import type { Exported } from './exported-attempts.ts';

export const EXPORT_FORMATS = ['csv', 'atif', 'online-mind2web', 'otlp', 'markdown'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What is written where nothing else is said, in the folder that the command is called from. */
export function defaultName(format: ExportFormat, runId: string): string {
  const endings = {
    csv: '.csv',
    markdown: '.md',
    otlp: '.otlp.jsonl',
    atif: '-atif',
    'online-mind2web': '-online-mind2web',
  };
  return `${runId}${endings[format]}`;
}

export interface ExportOptions extends OtlpOptions {
  format: ExportFormat;
  /** A file, or a folder for formats of many files. */
  out: string;
  /** Of a collector, for `otlp`. */
  endpoint?: string | undefined;
}

export async function exportRun(root: string, { format, out, endpoint, ...otlp }: ExportOptions): Promise<Exported> {
  if (format === 'otlp' && endpoint !== undefined) return sendOtlp(root, endpoint, otlp);
  makeFolder(path.dirname(out));
  if (format === 'otlp') return writeOtlp(root, out, otlp);
  if (format === 'atif') return exportAtif(root, out);
  if (format === 'online-mind2web') return exportOnlineMind2Web(root, out);
  if (format === 'csv') return exportCsv(root, out);
  return exportMarkdown(root, out);
}

/** The report that the run has: an export changes nothing of a run. */
function exportMarkdown(root: string, out: string): Exported {
  const report = path.join(root, 'report.md');
  if (!existsSync(report)) {
    throw new WaymarkError({
      code: 'usage_no_such_file',
      message: `The run ${root} has no report.md.`,
      hint: `Make it first: waymark report ${root}`,
    });
  }
  try {
    copyFileSync(report, out);
  } catch (cause) {
    throw fileNotWritten(out, cause);
  }
  return { format: 'markdown', attempts: readRunFile(root).plan.cells.length, to: out };
}
