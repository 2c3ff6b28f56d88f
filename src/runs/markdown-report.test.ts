import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { evaluateFacts } from '../contracts/index.ts';
import { loadTokenCounter } from '../metrics/index.ts';
import { markdownReport } from './markdown-report.ts';
import { foldEpisode, runReport } from './report.ts';

const artifacts = {
  eventsJsonl: 'episodes/e/trial-1/events.jsonl',
  ledgerJsonl: 'episodes/e/trial-1/ledger.jsonl',
  reportJson: 'report.json',
};
const times = { runId: 'run-1', startedAt: new Date(0), endedAt: new Date(1000) };

test('a nested contract is a nested list', () => {
  const evidence = evaluateFacts(
    {
      kind: 'and',
      children: [
        { kind: 'url', pattern: '/done' },
        {
          kind: 'not',
          child: {
            kind: 'or',
            children: [
              { kind: 'url', pattern: '/cart' },
              { kind: 'url', pattern: '/x' },
            ],
          },
        },
      ],
    },
    { url: 'https://shop.test/cart' },
  );
  const result = { ...foldEpisode(documentedEvents, artifacts), failedContract: evidence };
  const page = markdownReport(runReport([result], times), [result]);
  const list = page.split('\n').filter((line) => /^ *- (Passed|Failed)/.test(line));
  expect(list.map((line) => line.replace(/: .*/, ''))).toEqual([
    '- Failed',
    '  - Failed',
    '  - Failed',
    '    - Passed',
    '      - Passed',
    '      - Failed',
  ]);
  expect(list[1]).toBe('  - Failed: the URL matches "/done". Observed: the URL is "https://shop.test/cart".');
});

test('files are named, and attempts that were cut off', () => {
  const result = foldEpisode(documentedEvents, artifacts);
  const page = markdownReport(runReport([result], times), [result], ['episodes/e/trial-1']);
  expect(page).toContain(
    '| local-form-submit | `episodes/e/trial-1/events.jsonl` | `episodes/e/trial-1/ledger.jsonl` | – |\n',
  );
  expect(page).toContain('## Earlier attempts\n\nCut off and run anew; kept.\n\n- `episodes/e/trial-1`\n');
  expect(markdownReport(runReport([result], times), [result])).not.toContain('Earlier attempts');
});

test('a warning of several attempts is shown once, with its tasks; a run without warnings has no such part', () => {
  const result = foldEpisode(documentedEvents, artifacts);
  const two = [
    { ...result, taskId: 'a', warnings: ['browser: the clipboard was emptied'] },
    { ...result, taskId: 'b', warnings: ['browser: the clipboard was emptied', 'server: slow'] },
  ];
  expect(markdownReport(runReport(two, times), two)).toContain(
    '## Warnings\n\n- browser: the clipboard was emptied (a, b)\n- server: slow (b)\n',
  );
  const none = [{ ...result, warnings: [] }];
  expect(markdownReport(runReport(none, times), none)).not.toContain('Warnings');
});

test('tokens that were counted stand in the table', async () => {
  const result = foldEpisode(documentedEvents, artifacts, await loadTokenCounter());
  const { perObservation, perCall } = result.tokens ?? {};
  expect(perObservation?.total).toBeGreaterThan(0);
  expect(markdownReport(runReport([result], times), [result])).toContain(
    ` | ${perObservation?.total} / ${perCall?.total} | `,
  );
});
