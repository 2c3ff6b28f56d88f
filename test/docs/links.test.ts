import path from 'node:path';
import { expect, test } from 'vitest';
import { brokenLinks } from './typed-page.ts';

const docs = path.resolve(import.meta.dirname, '../../docs');

/** The links of related pages. */
test.each([
  'tutorial/first-task.md',
  'tutorial/evaluate-your-agent.md',
  'how-to/write-a-grader.md',
  'how-to/write-an-agent.md',
  'explanation/agents.md',
  'how-to/add-a-task.md',
  'benchmarks/episode-harness.md',
  'explanation/witness-and-gate.md',
  'reference/transcript.md',
  'recovery/reward-scorer.md',
  'recovery/trajectory-ledger.md',
])('docs/%s links to files and headings that exist', (name) => {
  expect(brokenLinks(path.join(docs, name))).toEqual([]);
});
