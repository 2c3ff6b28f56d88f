import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { teamJournal } from '../../test/support/made-journal.ts';
import { evaluateFacts } from '../contracts/index.ts';
import { type EpisodeResult, episodeResult, type JournalEvent } from '../events/index.ts';
import { loadTokenCounter } from '../metrics/index.ts';
import { MarkdownReport } from './markdown-report.ts';
import { ReportFold } from './report.ts';
import { WarningFold } from './run-warnings.ts';

const artifacts = {
  eventsJsonl: 'episodes/e/trial-1/events.jsonl',
  ledgerJsonl: 'episodes/e/trial-1/ledger.jsonl',
  reportJson: 'report.json',
};
const folder = mkdtempSync(path.join(tmpdir(), 'waymark-markdown-'));
afterAll(() => rmSync(folder, { recursive: true }));

function pageOf(results: EpisodeResult | readonly EpisodeResult[], earlier: readonly string[] = []): string {
  using markdown = new MarkdownReport(path.join(folder, 'report.md'));
  const fold = new ReportFold();
  const warnings = new WarningFold();
  for (const result of [results].flat()) {
    markdown.add(result);
    fold.add(result);
    warnings.add(result);
  }
  const cells = [results].flat().map(({ taskId, trial }) => ({ caseId: taskId, trial, attempts: 1 }));
  const head = fold.head({ plan: { runId: 'run-1', createdAt: 0 }, endedAt: new Date(1000).toISOString() }, cells);
  const pieces = markdown.pieces(head, { earlier, warnings: warnings.list() });
  return Buffer.concat([...pieces].map((piece) => Buffer.from(piece))).toString();
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

test('a contract that held at the start is marked, counted and warned of', () => {
  const { seq, time } = documentedEvents.at(-2) as JournalEvent;
  const warning = { type: 'warning' as const, seq, time, source: 'held_at_start', message: 'It held.' };
  const events = documentedEvents.toSpliced(-1, 0, warning);
  const result = episodeResult(events, { artifacts });
  expect(result.held_at_start).toBe(true);
  const fold = new ReportFold();
  fold.add(result);
  expect(fold.summary([]).held_at_start).toBe(1);
  // The journal of the page on events ends by an interruption, which is shown in place of the status.
  const { interrupted: _, ...ended } = result;
  const page = pageOf({ ...ended, forgeable: true });
  expect(page).toContain('The contract held at the start: 1.');
  expect(page).toContain('- held_at_start: It held.');
  expect(page).toContain(`| ${result.status} (held_at_start, forgeable) |`);
  const other = episodeResult(documentedEvents, { artifacts });
  expect([other.held_at_start, pageOf(other).includes('held')]).toEqual([undefined, false]);
});

test('files are named, and attempts that were cut off', () => {
  const result = episodeResult(documentedEvents, { artifacts });
  const page = pageOf(result, ['episodes/e/trial-1']);
  expect(page).toContain(
    '| local-form-submit | `episodes/e/trial-1/events.jsonl` | – | `episodes/e/trial-1/ledger.jsonl` | – |\n',
  );
  expect(page).toContain(
    '## Earlier attempts\n\nCut off or ended by a fault, and made again; kept.\n\n- `episodes/e/trial-1`\n',
  );
  expect(pageOf(result)).not.toContain('Earlier attempts');
});

test('a warning of several attempts is shown once, with its tasks; a run without warnings has no such part', () => {
  const result = episodeResult(documentedEvents, { artifacts });
  const two = [
    { ...result, taskId: 'a', warnings: ['browser: the clipboard was emptied'] },
    { ...result, taskId: 'b', warnings: ['browser: the clipboard was emptied', 'server: slow'] },
  ];
  expect(pageOf(two)).toContain('## Warnings\n\n- browser: the clipboard was emptied (a, b)\n- server: slow (b)\n');
  const none = [{ ...result, warnings: [] }];
  expect(pageOf(none)).not.toContain('Warnings');
});

test('tokens that were counted stand in the table', async () => {
  const result = episodeResult(documentedEvents, { artifacts, tokens: await loadTokenCounter() });
  const { perObservation, perCall } = result.tokens ?? {};
  expect(perObservation?.total).toBeGreaterThan(0);
  expect(pageOf([result])).toContain(` | ${perObservation?.total} / ${perCall?.total} | `);
});

test('who did what stands in a table and a list; unknown is said so, and the test model is labelled', () => {
  const page = pageOf(episodeResult(teamJournal('right says\nblocked.'), { artifacts }));
  for (const part of [
    'Made with the test model: this shows how the harness works, and measures no model.\n',
    ' Said done, but failed: 1.\n',
    '| local-form-submit | failed | done, but failed | 2 | 2 | 1 | 0.50 | – | 1,234 | unknown | 7.0 s |\n',
    'The failure arose in a hand-off. The executor right said that it was blocked, and was not asked again.\n',
    '| orchestrator | 0 | 0 | – | 1,200 / 34 | unknown | 1.0 s | 0.0 s |\n',
    '| left | 1 | 0 | 0.50 | – | – | – | 0.3 s |\n',
    '2. **right**, blocked, 1 step: Look at the right shop.\n   - right says blocked.\n',
  ])
    expect(page).toContain(part);
});

test('graders stand side by side, and what they differ about is listed first, as text', () => {
  const ended = { status: 'passed', outcome: 'passed', success: true } as const;
  // The page's journal is that of an interrupted attempt, which is not graded.
  const { interrupted: _interrupted, ...whole } = episodeResult(documentedEvents, { artifacts });
  const result = { ...whole, ...ended, taskId: 'a' };
  expect(pageOf(result)).not.toContain('Graders');
  const grade = (verdict: 'pass' | 'fail', reasoning: string) => ({
    grader: 'webjudge',
    verdict,
    score: verdict === 'pass' ? 1 : 0,
    reasoning,
    model: 'openai:o4-mini',
    cost: { calls: 5, inputTokens: 1200, outputTokens: 34, usd: 0.012 },
  });
  const page = pageOf([
    { ...result, grades: [grade('pass', 'The same.')] },
    { ...result, taskId: 'b', grades: [grade('fail', 'I saw | <b>it</b>\n# differently.')] },
  ]);
  expect(page).toContain('| webjudge | openai:o4-mini | – | 1 | 1 | 0 | 0 | 50.0 %, 1 of 2 |');
  expect(page).toContain('| 10 | 2,400 / 68 | $0.024 |');
  expect(page).toContain('| webjudge | with contract | 1 | 0 | 1 | 0 | 50.0 %, 1 of 2 | 0.000 |');
  expect(page).toContain(
    '- **b**: webjudge says fail, contract says pass (`episodes/e/trial-1/events.jsonl`). I saw \\| &lt;b\\>it&lt;/b\\> \\# differently.\n',
  );
  expect(page).not.toContain('- **a**');
});

test('how direct each path was is a table; what is not known is no zero', () => {
  const known = episodeResult(documentedEvents, { artifacts, oracleSteps: 1 });
  const page = pageOf([
    { ...known, noProgressEpisodes: 4, wandering: { ...known.wandering, noProgressRuns: 2, pathEfficiency: 0.5 } },
    { ...known, trial: 2, wandering: { ...known.wandering, pathEfficiency: null, revisitedStateRatio: null } },
  ]);
  const rows = page
    .slice(page.indexOf('## Wandering'), page.indexOf('## Files'))
    .split('\n')
    .filter((line) => line.startsWith('| '));
  expect(rows[1]).toMatch(/\| 4 \(2\) \|.*\| 50 % \|$/);
  expect(rows[2]).toMatch(/\(trial 2\) .*\| – \|.*\| – \|$/);
});
