/** A run as its whole report has it: with times and the files of each episode. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readReport } from '../report.ts';
import type { ReportedRun } from './junit.ts';

/** After `writeReports`. */
export function readReportedRun(root: string): ReportedRun {
  const { runId } = readReport(root);
  return JSON.parse(readFileSync(path.join(root, 'reports', `${runId}.json`), 'utf8')) as ReportedRun;
}
