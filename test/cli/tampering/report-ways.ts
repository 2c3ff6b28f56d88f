/** Changes of reports, of the manifest, and of which files there are. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { edit, FORM, remove, type Way } from './change.ts';

export const REPORT_WAYS: readonly Way[] = [
  ['a number in report.json', edit('report.json', (text) => text.replace('"passed": 1,', '"passed": 2,')), false],
  [
    'what was planned in report.json',
    edit('report.json', (text) => text.replace('"planned": 2,', '"planned": 1,')),
    false,
  ],
  [
    'report.json as of an earlier version',
    edit('report.json', (text) => {
      const report = JSON.parse(text);
      delete report.summary.planned;
      report.summary.passed = 2;
      return JSON.stringify(report, null, 2);
    }),
    false,
  ],
  ['report.json that is none', edit('report.json', () => 'passed'), false],
  ['report.json removed', remove('report.json'), false],
  ['report.md', edit('report.md', (text) => text.replace('1 of 2 passed', '2 of 2 passed')), false],
  ['report.html', edit('report.html', (text) => text.replaceAll('1 of 2 passed', '2 of 2 passed')), false],
  ['report.html removed', remove('report.html'), false],
  ['events.jsonl', edit('events.jsonl', (text) => text.replace('"status":"passed"', '"status":"failed"')), false],
  [
    'the whole results',
    edit('reports/<run-id>.json', (text) => text.replace(/"durationMs": \d+/, '"durationMs": 1')),
    false,
  ],
  ['the folder reports/ removed', remove('reports'), false],
  ['the folder events/ removed', remove('events'), false],
  ['manifest.json removed', remove('manifest.json'), false],
  ['manifest.json that is none', edit('manifest.json', () => '{}'), false],
  [
    'a hash in manifest.json',
    edit('manifest.json', (text) =>
      text.replace(/"sha256":"(.)/, (_, digit) => `"sha256":"${digit === '0' ? '1' : '0'}`),
    ),
    false,
  ],
  ['manifest.json of another run', edit('manifest.json', (text) => text.replace(/"runId": "./, '"runId": "x')), false],
  [
    'a file taken out of manifest.json',
    edit('manifest.json', (text) => text.replace(/\n {4}\{"path":"episodes[^}]*\},/, '')),
    false,
  ],
  ['a plan put beside run.json', (root) => writeFileSync(path.join(root, 'cells.jsonl'), ''), false],
  ['a file put beside a journal', (root) => writeFileSync(path.join(root, FORM, 'notes.txt'), 'Mine.'), false],
];
