import { expect, test } from 'vitest';
import { documentedEvents } from '../../test/journal/documented-events.ts';
import { answered, called, madeJournal, stopped, teamJournal } from '../../test/support/made-journal.ts';
import { episodeResult, type JournalEvent } from '../events/index.ts';
import { attemptRow } from './attempt-row.ts';
import { attemptView } from './attempt-view.ts';
import { contractHistory } from './contract-history.ts';

const artifacts = { eventsJsonl: 'episodes/e/events.jsonl', reportJson: 'report.json' };
const viewOf = (events: readonly JournalEvent[]) =>
  attemptView(events, episodeResult(events, { artifacts }), 'episodes/e');

test('shows calls, results, verdicts, rewards, warnings and provenance of the episode that the reference tells', () => {
  const view = viewOf(documentedEvents);
  const text = JSON.stringify(view);
  for (const event of documentedEvents) {
    if (event.type === 'tool_call') expect(view.steps.map(({ tool }) => tool)).toContain(event.tool);
    if (event.type === 'warning') expect(view.warnings).toContain(`${event.source}: ${event.message}`);
    if (event.type === 'reward') for (const { signal } of event.reasons) expect(text).toContain(signal);
    if (event.type === 'start' && event.kind !== 'question')
      for (const hash of Object.values(event.hashes)) expect(view.provenance.flat()).toContain(hash);
    if (event.type === 'stop') expect(view.chip.status).toBe(event.interrupted ? 'interrupted' : event.status);
  }
  expect(view.files).toEqual([['Journal', 'episodes/e/events.jsonl']]);
  expect(view.folder).toBe('episodes/e');
});

test('who did what: roles, delegations, what was said in which lane, and where the failure arose; the test model is labelled', () => {
  const { team, claim, timeline, messages, marks } = viewOf(teamJournal());
  expect(timeline?.rows.map(({ role, executorId = role }) => executorId)).toEqual(['orchestrator', 'left', 'right']);
  expect(claim).toEqual({
    sentence: 'The agent says that it is done; the contract says: not judged.',
    isFalse: true,
  });
  expect(marks).toEqual(['said done', 'test model', 'recovery search']);
  expect(team?.origin).toBe(
    'The failure arose at a hand-off. The executor right said that it was blocked, and was not asked again.',
  );
  expect(team?.roles.map(({ models }) => models).join()).toContain('waymark-test-model/liar (test model)');
  expect(team?.roles.flatMap(({ cells }) => cells)).toContain('1,200 / 34');
  expect(team?.delegations[0]).toMatchObject({
    executorId: 'left',
    about: 'step 1 of at most 5, 4.00 s to 11.0 s, reward +0.5',
    instruction: 'Look at the left shop.',
    summary: 'left says done.',
  });
  expect(messages.messages.filter(({ kind }) => kind === 'delegation').map(({ lane }) => lane)).toEqual([
    'left',
    'right',
  ]);
  expect(viewOf(madeJournal([called('c1', 1), answered('c1'), stopped()])).team).toBeUndefined();
});

test('graders stand side by side where there is more than the contract', () => {
  const result = episodeResult(documentedEvents, { artifacts });
  const grades = [{ grader: 'rubric', verdict: 'fail' as const, score: 0.4, reasoning: 'No.', model: 'm' }];
  const graded = { ...result, status: 'passed' as const, outcome: 'passed' as const, success: true, grades };
  expect(attemptView(documentedEvents, graded, 'e').graded).toMatchObject({
    decidedBy: 'contract',
    grades: [{ grader: 'contract', verdict: 'pass' }, grades[0]],
  });
  expect(attemptRow('e1', graded, documentedEvents)).toMatchObject({ id: 'e1', tone: 'good', differs: true });
  expect(viewOf(documentedEvents).graded).toBeUndefined();
  expect(attemptRow('e1', result, documentedEvents)).not.toHaveProperty('differs');
});

test('the contract over time has a column per evaluation; what did not change is told by the lines from before', () => {
  const lines = (first: string, second: string) => [
    'Failed: all of 2 conditions hold. Observed: 1 passed.',
    `  ${first}: the URL matches "a". Observed: the URL is "b. Observed: c".`,
    `  ${second}: no dialog is open. Observed: none is open.`,
  ];
  const [one] = viewOf(documentedEvents).steps;
  if (!one) throw new Error('the page has a step');
  const step = (seq: number, told: string[], isRepeated = false) => ({
    ...one,
    step: seq,
    seq,
    look: { changes: [], verdict: { verdict: 'fail' as const, lines: told, isRepeated } },
  });
  const { conditions, columns } = contractHistory(
    [step(0, lines('Failed', 'Passed')), step(1, [], true), step(2, lines('Passed', 'Inconclusive'))],
    undefined,
  );
  expect(conditions).toEqual([
    { depth: 0, text: 'all of 2 conditions hold' },
    { depth: 1, text: 'the URL matches "a"' },
    { depth: 1, text: 'no dialog is open' },
  ]);
  expect(columns.map(({ label, marks }) => [label, ...marks])).toEqual([
    ['start', 'fail', 'fail', 'pass'],
    ['1', 'fail', 'fail', 'pass'],
    ['2', 'fail', 'pass', 'inconclusive'],
  ]);
});
