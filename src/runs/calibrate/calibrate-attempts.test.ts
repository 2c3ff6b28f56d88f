import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { calibrateAttempts } from './calibrate-attempts.ts';
import { readLabels } from './read-labels.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-calibrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = path.resolve(import.meta.dirname, '../../../test/old-data/runs/two-tasks-two-trials');
const file = path.join(folder, 'labels.jsonl');
writeFileSync(
  file,
  ['example-h1', 'keys-chord']
    .flatMap((caseId) => [1, 2].map((trial) => `${JSON.stringify({ caseId, trial, label: 'pass' })}\n`))
    .join(''),
);

test('when it is stopped, the numbers are those of what was judged, and it is said how much was not', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const { judges, notJudged } = await calibrateAttempts({
    grader: 'contract',
    labels: readLabels(file, run),
    folder,
    concurrency: 1,
    signal: stop.signal,
    onJudged: ({ done, total, attempt }) => {
      seen.push(`${done}/${total} ${attempt.ref.caseId}`);
      if (done === 1) stop.abort();
    },
  });
  expect(seen).toEqual(['1/4 example-h1']);
  expect(notJudged).toBe(3);
  expect(judges).toMatchObject([{ rows: 1, compared: 1, table: { bothPass: 1 } }]);
});

test('several at a time give the same as one at a time, in the order of the file', async () => {
  const { signal } = new AbortController();
  const grader = path.join(folder, 'short.json');
  writeFileSync(grader, JSON.stringify({ grader: 'trajectory', forbidden: ['read_page'] }));
  const one = { grader, labels: readLabels(file, run), folder, signal };
  const alone = await calibrateAttempts({ ...one, concurrency: 1 });
  expect(await calibrateAttempts({ ...one, concurrency: 4 })).toEqual(alone);
  expect(alone).not.toHaveProperty('notJudged');
  expect(alone.judges[0]?.differences.map(({ line, verdict }) => [line, verdict])).toEqual([
    [1, 'fail'],
    [2, 'fail'],
  ]);
});
