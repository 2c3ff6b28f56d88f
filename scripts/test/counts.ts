/** Reads from vitest's JSON report how many tests passed and which ones failed. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      status: z.string(),
      message: z.string().default(''),
      startTime: z.number().default(0),
      endTime: z.number().default(0),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().default(''),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});
const MAX_REASON_LINES = 12;
const MAX_SLOWEST = 15;

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * `ok`: whether vitest succeeded. A failed run never counts zero failures: a file that could not be loaded has no failed test
 * and counts as one, and so does a run that wrote no report or failed outside of a test.
 */
export function readCounts(file: string, ok: boolean): Counts {
  const report = read(file);
  if (!report) return { passed: 0, failed: ok ? 0 : 1, skipped: 0 };
  const failedOutside = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + failedOutside;
  return {
    passed: report.numPassedTests,
    failed: ok ? failed : Math.max(failed, 1),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Every failure as its file, its name and the first lines of the reason. */
export function readFailures(file: string, root: string): string[] {
  return (read(file)?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const where = path.relative(root, name);
    if (failed.length === 0) return status === 'failed' ? [`${where}\n${firstLines(message)}`] : [];
    return failed.map((test) => `${where} > ${test.fullName}\n${firstLines(test.failureMessages?.join('\n') ?? '')}`);
  });
}

/** The slowest files with their seconds, because the whole run has a time limit. */
export function readSlowest(file: string, root: string): string[] {
  return (read(file)?.testResults ?? [])
    .map(({ name, startTime, endTime }) => ({
      where: path.relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_SLOWEST)
    .map(({ where, seconds }) => `${seconds.toFixed(1).padStart(6)}  ${where}`);
}

function firstLines(text: string): string {
  const lines = text.trim().split('\n').slice(0, MAX_REASON_LINES);
  return lines.map((line) => `    ${line}`).join('\n');
}

function read(file: string): z.infer<typeof Report> | undefined {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // A run that was ended early leaves no report.
    return undefined;
  }
}
