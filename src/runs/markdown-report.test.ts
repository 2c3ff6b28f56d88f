import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { evaluateFacts } from '../contracts/index.ts';
import { type EpisodeResult, episodeResult } from '../events/index.ts';
import { MarkdownReport } from './markdown-report.ts';
import { ReportFold } from './report.ts';

const artifacts = {
  eventsJsonl: 'episodes/e/trial-1/events.jsonl',
  ledgerJsonl: 'episodes/e/trial-1/ledger.jsonl',
  reportJson: 'report.json',
};
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-markdown-'));
afterAll(() => rmSync(folder, { recursive: true }));

function pageOf(result: EpisodeResult, earlier: readonly string[] = []): string {
  using markdown = new MarkdownReport(path.join(folder, 'report.md'));
  const fold = new ReportFold();
  markdown.add(result);
  fold.add(result);
  const head = fold.head({ plan: { runId: 'run-1', createdAt: 0 }, endedAt: new Date(1000).toISOString() });
  return Buffer.concat([...markdown.pieces(head, earlier)].map((piece) => Buffer.from(piece))).toString();
}

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
  const result = { ...episodeResult(documentedEvents, { artifacts }), failedContract: evidence };
  const page = pageOf(result);
  const list = page.split('\n').filter((line) => /^ *- /.test(line));
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
  const result = episodeResult(documentedEvents, { artifacts });
  const page = pageOf(result, ['episodes/e/trial-1']);
  expect(page).toContain(
    '| local-form-submit | `episodes/e/trial-1/events.jsonl` | `episodes/e/trial-1/ledger.jsonl` | – |\n',
  );
  expect(page).toContain(
    '## Earlier attempts\n\nCut off or ended by a fault, and made again; kept.\n\n- `episodes/e/trial-1`\n',
  );
  expect(pageOf(result)).not.toContain('Earlier attempts');
});
