/** report.html of a run that has these journals, and journals whose texts are hostile. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { episodeResult, type JournalEvent } from '../../src/events/index.ts';
import { ReportPage } from '../../src/runs/html/report-page.ts';
import { ReportFold } from '../../src/runs/report.ts';
import { cellId, RunPageData } from '../../src/runs/run-page-data.ts';
import { attemptView, HTML_LIMITS } from '../../src/view/index.ts';
import { documentedEvents } from '../journal/documented-events.ts';
import { teamJournal } from './made-journal.ts';

const artifacts = { eventsJsonl: 'episodes/e/events.jsonl', reportJson: 'report.json' };
const plan = {
  runId: 'run-1',
  createdAt: 0,
  suite: { name: 'suite', hash: '' },
  variant: { kind: 'agent', agent: { kind: 'scripted' }, server: { name: 'embedded' } },
} as const;
const times = { plan, endedAt: new Date(1000).toISOString() };

/** @returns the page's text. */
export async function madeReport(
  into: string,
  journals: readonly (readonly JournalEvent[])[],
  limits: { inlineText: number; chunkText: number } = HTML_LIMITS,
): Promise<string> {
  const fold = new ReportFold();
  const data = new RunPageData(plan);
  using report = new ReportPage({ root: '/nowhere', into, limits });
  const cells = journals.map((events, index) => {
    const result = { ...episodeResult(events, { artifacts }), trial: index + 1 };
    fold.add(result);
    const view = attemptView(events, result, 'episodes/e');
    const isOpenable = report.add(cellId(index), view, { success: result.success, isPlain: result.success });
    data.add(cellId(index), result, events, isOpenable);
    return { caseId: result.taskId, trial: index + 1, attempt: 1, attempts: 1, folder: 'episodes/e', earlier: [] };
  });
  await report.write(data.view(fold.head(times, cells), cells, []));
  return readFileSync(path.join(into, 'report.html'), 'utf8');
}

/** The reference's episode, with every event of a type changed. */
export function changedJournal<T extends JournalEvent['type']>(
  type: T,
  change: (event: Extract<JournalEvent, { type: T }>) => Partial<JournalEvent>,
): JournalEvent[] {
  return documentedEvents.map((event) =>
    event.type === type
      ? ({ ...event, ...change(event as Extract<JournalEvent, { type: T }>) } as JournalEvent)
      : event,
  );
}

export const HOSTILE =
  '"></script><script>alert(1)</script><!--<img src=x onerror=alert(1)>javascript:alert(1)\u2028\u2029\u0000\ud800';

/** Seven journals: in each, what another part of the world says is hostile. */
export function hostileJournals(): JournalEvent[][] {
  return [
    changedJournal('tool_result', () => ({ text: HOSTILE, textLength: HOSTILE.length })),
    changedJournal('tool_call', () => ({ tool: HOSTILE, arguments: { [HOSTILE]: HOSTILE } })),
    changedJournal('evidence', () => ({ url: HOSTILE, title: HOSTILE })),
    changedJournal('warning', () => ({ message: HOSTILE })),
    teamJournal(HOSTILE),
    changedJournal('stop', () => ({ reason: HOSTILE, answer: HOSTILE })),
    changedJournal('start', ({ task }) => ({
      taskId: HOSTILE,
      task: { ...Object(task), title: HOSTILE, goal: HOSTILE },
    })),
  ];
}
