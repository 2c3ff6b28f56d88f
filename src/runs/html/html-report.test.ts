import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { documentedEvents } from '../../../test/journal/documented-events.ts';
import { answered, called, madeJournal, stopped, teamJournal } from '../../../test/support/made-journal.ts';
import { type EpisodeResult, episodeResult, type JournalEvent } from '../../events/index.ts';
import { episodeView, HTML_LIMITS } from '../../view/index.ts';
import { ReportFold } from '../report.ts';
import type { PlannedCell } from '../run-coverage.ts';
import { htmlReport } from './html-report.ts';
import { ShownEpisodes } from './shown-episodes.ts';

const artifacts = { eventsJsonl: 'episodes/e/events.jsonl', reportJson: 'report.json' };
const times = { plan: { runId: 'run-1', createdAt: 0 }, endedAt: new Date(1000).toISOString() };

function reportOn(episodes: readonly (readonly JournalEvent[])[], notBegun: string[] = []): string {
  const fold = new ReportFold();
  const shown = new ShownEpisodes();
  const cells: PlannedCell[] = [];
  for (const events of episodes) {
    const result = episodeResult(events, { artifacts });
    fold.add(result);
    cells.push({ caseId: result.taskId, trial: result.trial, attempts: 1 });
    shown.add({ result, view: episodeView(events, result), folder: 'nowhere' });
  }
  return htmlReport({ report: fold.head(times, cells), ...shown.selected(), root: '/nowhere', notBegun });
}

/** The page's episode, with every event of a type changed. */
function changed<T extends JournalEvent['type']>(
  type: T,
  change: (event: Extract<JournalEvent, { type: T }>) => Partial<JournalEvent>,
): JournalEvent[] {
  return documentedEvents.map((event) =>
    event.type === type
      ? ({ ...event, ...change(event as Extract<JournalEvent, { type: T }>) } as JournalEvent)
      : event,
  );
}

test('shows calls, results, changes, verdicts, rewards and provenance of the episode that the reference tells', () => {
  const page = reportOn([documentedEvents]);
  for (const event of documentedEvents) {
    if (event.type === 'tool_call') expect(page).toContain(`<code>${event.tool}</code>`);
    if (event.type === 'warning') expect(page).toContain(event.message);
    if (event.type === 'reward') for (const { signal } of event.reasons) expect(page).toContain(signal);
    if (event.type === 'start' && event.kind !== 'question')
      for (const hash of Object.values(event.hashes)) expect(page).toContain(hash);
    if (event.type === 'stop') expect(page).toContain(`>${event.status}</span>`);
  }
  expect(page).toMatch(/class="verdict (pass|fail|inconclusive)"/);
  expect(page).toContain('95 % interval');
});

test('the same events give the same bytes', () => {
  expect(reportOn([documentedEvents])).toBe(reportOn([documentedEvents]));
});

test('text of pages and agents stays text, wherever it stands', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
  const events = [
    changed('tool_result', () => ({ text: hostile, textLength: hostile.length })),
    changed('tool_call', () => ({ tool: hostile, arguments: { [hostile]: hostile } })),
    changed('evidence', () => ({ url: hostile, title: hostile })),
    changed('warning', () => ({ message: hostile })),
    teamJournal(hostile),
    changed('stop', () => ({ reason: hostile, answer: hostile })),
    changed('start', ({ task }) => ({ taskId: hostile, task: { ...Object(task), title: hostile, goal: hostile } })),
  ];
  const page = reportOn(events, [hostile]);
  expect(page).toContain('&lt;script&gt;');
  expect(page.match(/<script>/g)).toHaveLength(1);
  expect(page).not.toContain('<img src=x');
});

test('asks for nothing: no address outside of text, and a policy that names the one script and the one style', () => {
  const page = reportOn([documentedEvents]);
  expect(page).not.toMatch(/<(link|iframe|object|base)\b|@import|url\(|\s(style|onclick|onload)=|\ssrc="(?!data:)/);
  const policy = /content="(default-src[^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'") ?? '';
  expect(policy).toContain("default-src 'none'");
  for (const tag of ['script', 'style']) {
    const text = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page)?.[1] ?? '';
    expect(policy).toContain(`${tag}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
});

test('long texts are cut, and it is said', () => {
  const text = 'x'.repeat(HTML_LIMITS.text * 4);
  const page = reportOn([changed('tool_result', () => ({ text, textLength: 262_144 }))]);
  expect(page).not.toContain('x'.repeat(HTML_LIMITS.text + 1));
  expect(page).toContain(`The first ${HTML_LIMITS.text} of 262144 characters`);
});

test('a journal that was cut off anywhere is shown as far as it goes', () => {
  for (let length = 1; length <= documentedEvents.length; length++) {
    expect(reportOn([documentedEvents.slice(0, length)])).toContain('</html>');
  }
});

test('episodes that could not be begun are told', () => {
  expect(reportOn([documentedEvents], ['episodes/b: no slot'])).toContain(
    '1 episode could not be begun, through no fault of the agent: episodes/b: no slot',
  );
});

/** So many episodes that passed and did not pass, in turns; each with steps of its own size. */
function chosen(count: number, limits: { episodes: number; stepText: number }) {
  const shown = new ShownEpisodes(limits);
  const passed = episodeResult(documentedEvents, { artifacts });
  const view = { ...episodeView(documentedEvents), size: 10 };
  for (let trial = 1; trial <= count; trial++)
    shown.add({ result: { ...passed, trial, success: trial % 2 === 1 }, view, folder: 'nowhere' });
  return shown.selected();
}

test('steps that do not fit are left out of what passed first', () => {
  const { episodes, leftOut } = chosen(4, { episodes: 10, stepText: 25 });
  expect(episodes.map(({ result, isBrief }) => [result.trial, isBrief])).toEqual([
    [1, true],
    [2, false],
    [3, true],
    [4, false],
  ]);
  expect(leftOut).toBe(0);
  expect(chosen(4, { episodes: 10, stepText: 40 }).episodes.some(({ isBrief }) => isBrief)).toBe(false);
});

test('episodes that do not fit are left out, those that passed first, and it is said', () => {
  const { episodes, leftOut } = chosen(7, { episodes: 4, stepText: 1_000 });
  expect(episodes.map(({ result }) => result.trial)).toEqual([1, 2, 4, 6]);
  expect(leftOut).toBe(3);
  const page = reportOn(Array.from({ length: HTML_LIMITS.episodes + 2 }, () => documentedEvents));
  expect(page).toContain('2 of 1002 episodes are not in this file');
  expect(page.match(/<details class="episode"/g)).toHaveLength(HTML_LIMITS.episodes);
});

test('200 episodes make a file that a browser opens in a moment', () => {
  const page = reportOn(Array.from({ length: 200 }, () => documentedEvents));
  expect(page.length).toBeLessThan(20 * 1024 * 1024);
  expect(page.match(/<details class="episode"/g)).toHaveLength(200);
});

test('shows who did what: a row for each lane, roles, delegations, and what was claimed; the test model is labelled', () => {
  const page = reportOn([teamJournal()]);
  expect([...page.matchAll(/<span class="lane-name">([^<]*)</g)].map(([, name]) => name)).toEqual([
    'orchestrator',
    'left',
    'right',
    '',
  ]);
  for (const sentence of [
    'Made with the test model: this shows how the harness works, and measures no model.',
    'The agent says that it is done; the contract says: not judged.',
    'The failure arose at a hand-off. The executor right said that it was blocked, and was not asked again.',
    'waymark-test-model/liar <span class="tag">test model</span>',
    '1,200 / 34',
    '<td class="num">unknown</td>',
    '<p>Look at the left shop.</p><p class="said">left says done.</p>',
    '<li><b>1</b> said done, but failed</li>',
    '<span class="faint">step 1 of at most 5, 4.00 s to 11.0 s, reward +0.5</span>',
    '<td>done, but failed</td>',
    '<span class="tag lane">right</span>',
  ])
    expect(page).toContain(sentence);
  // A bar leads to its step.
  const [, link] = page.match(/<a href="#(e1-\d+)" tabindex="-1"><rect class="call"/) ?? [];
  expect(page).toContain(`id="${link}"`);
  expect(reportOn([madeJournal([called('c1', 1), answered('c1'), stopped()])])).not.toContain('Who did what');
});

test('graders stand side by side, with what they differ about first; their words stay text; without them nothing is added', () => {
  const hostile = '"><script>alert(1)</script>';
  const ended = { status: 'passed', outcome: 'passed', success: true } as const;
  // The page's journal is that of an interrupted attempt, which is not graded.
  const result = episodeResult(
    changed('stop', () => ({ interrupted: undefined })),
    { artifacts },
  );
  const pageWith = (grades: EpisodeResult['grades']): string => {
    const fold = new ReportFold();
    const shown = new ShownEpisodes();
    const graded = grades ? { ...result, ...ended, grades } : result;
    fold.add(graded);
    shown.add({ result: graded, view: episodeView(documentedEvents, graded), folder: 'nowhere' });
    return htmlReport({
      report: fold.head(times, [{ caseId: graded.taskId, trial: graded.trial, attempts: 1 }]),
      ...shown.selected(),
      root: '/nowhere',
      notBegun: [],
    });
  };
  const page = pageWith([
    {
      grader: 'rubric',
      verdict: 'fail',
      score: 0.4,
      reasoning: hostile,
      model: hostile,
      artifacts: ['graders/rubric/1/judge-001.json'],
    },
    { grader: 'short-answer', verdict: 'error', score: null, reasoning: 'It crashed.' },
  ]);
  expect(page.match(/<script>/g)).toHaveLength(1);
  for (const part of [
    '<h2 id="graders">Graders</h2>',
    'Where graders differ from the one that decides',
    '<a href="#e1">',
    'Agreement with the grader that decides',
    'κ of short-answer is not defined: nothing was compared.',
    '<span class="tag">decides</span>',
    '<a href="episodes/e/graders/rubric/1/judge-001.json">',
    '<td class="num">1 error</td>',
  ])
    expect(page).toContain(part);
  expect(pageWith(undefined)).toBe(reportOn([changed('stop', () => ({ interrupted: undefined }))]));
  expect(pageWith(undefined)).not.toMatch(/grader/i);
});

test('an episode that graders differ about is shown before others that passed', () => {
  const shown = new ShownEpisodes({ episodes: 2, stepText: 1_000 });
  const passed = { ...episodeResult(documentedEvents, { artifacts }), success: true, status: 'passed' as const };
  const view = { ...episodeView(documentedEvents), size: 10 };
  for (let trial = 1; trial <= 4; trial++) {
    const grades = [{ grader: 'webjudge', verdict: trial === 4 ? ('fail' as const) : ('pass' as const), score: 0 }];
    shown.add({ result: { ...passed, outcome: 'passed', trial, grades }, view, folder: 'nowhere' });
  }
  expect(shown.selected().episodes.map(({ result }) => result.trial)).toEqual([1, 4]);
});
