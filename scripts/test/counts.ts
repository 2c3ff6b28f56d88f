/** How many tests passed, from vitest's JSON report. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  numTodoTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * `ok`: whether vitest ended well. A failed run never counts zero failures: a file that could not be loaded has no test to
 * blame and counts as one, and so does a run that left no report or failed outside of a test.
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

function read(file: string): z.infer<typeof Report> | undefined {
  try {
    return Report.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
