import { describe, expect, it, test } from 'vitest';
import { documentedEvents, startOf } from '../../test/journal/documented-events.ts';
import { called, madeJournal, pictured, seen, stopped } from '../../test/support/made-journal.ts';
import { evaluateFacts } from '../contracts/index.ts';
import type { EventType, JournalEvent, NewEvent } from '../events/index.ts';
import { episodeView } from './episode-view.ts';

/** As in a journal: numbered, one second apart. */
function journal(...events: (NewEvent & { type: EventType })[]): JournalEvent[] {
  const start: NewEvent & { type: EventType } = { ...startOf(), type: 'start' };
  return [start, ...events].map((event, seq) => ({ v: 1, ...event, seq, time: seq * 1000 }) as JournalEvent);
}

const call = (callId: string, by: 'agent' | 'harness' = 'agent', step = 1) =>
  ({
    type: 'tool_call',
    callId,
    step,
    tool: 'click',
    arguments: { selector: '#a', wait: 2 },
    by,
    observes: false,
  }) as const;
const result = (callId: string): NewEvent<'tool_result'> => ({
  type: 'tool_result',
  callId,
  isError: false,
  text: 'done',
  textLength: 4,
  contentTypes: ['text'],
  durationMs: 5,
  digest: 'd',
});
const look = (title: string, callId?: string): NewEvent<'evidence'> => ({
  type: 'evidence',
  url: 'http://a.test/',
  title,
  page: 'ok',
  counters: { network: 0, console: 0, dialogs: 0, downloads: 0, popups: 0 },
  tabs: [],
  ...(callId === undefined ? {} : { callId }),
});
const verdict = (phase: 'start' | 'step' | 'final', text: string, callId?: string) => {
  const evidence = evaluateFacts({ kind: 'dom_text', selector: 'h1', contains: 'Done' }, { domText: { h1: text } });
  return {
    type: 'contract_eval',
    phase,
    verdict: evidence.verdict,
    evidence,
    ...(callId === undefined ? {} : { callId }),
  } as const;
};

const walked = episodeView(
  journal(
    call('c1', 'harness', 0),
    result('c1'),
    look('Start'),
    verdict('start', 'Not yet'),
    { type: 'screenshot', ok: true, file: 'screenshots/001.jpg', hash: 'h' },
    call('c2'),
    result('c2'),
    look('Clicked', 'c2'),
    verdict('step', 'Not yet', 'c2'),
    {
      type: 'reward',
      callId: 'c2',
      score: 0.3,
      classification: 'progress',
      tier: 'weak_positive',
      reasons: [],
      confidence: 1,
    },
    { type: 'screenshot', callId: 'c2', ok: false, reason: 'the page hangs' },
    look('Ticking'),
    { type: 'warning', source: 'cleanup', message: 'slow', callId: 'c2' },
    look('End'),
    verdict('final', 'Done'),
    { type: 'screenshot', ok: true, file: 'screenshots/002.jpg', hash: 'i' },
    { type: 'stop', status: 'passed', reason: 'It passed.' },
  ),
);
const tags = (changes: readonly { tag: string }[] = []): string[] => changes.map(({ tag }) => tag);

test('the first observation belongs to the navigation, the last to the end, and one in between to the step before it', () => {
  const [start, step] = walked.steps;
  expect(walked.steps).toHaveLength(2);
  expect(start).toMatchObject({ by: 'harness', step: 0, picture: 'screenshots/001.jpg', aside: [] });
  expect(tags(start?.look?.changes)).toEqual(['url']);
  expect(tags(step?.look?.changes)).toEqual(['title']);
  expect(step?.aside.map(({ sentence }) => sentence)).toEqual(['The title is “Ticking”; it was “Clicked”.']);
  expect(walked.final?.changes.map(({ sentence }) => sentence)).toEqual(['The title is “End”; it was “Ticking”.']);
  expect(walked.finalPicture).toBe('screenshots/002.jpg');
});

test('a step has its call on one line, its time, reward and notes', () => {
  expect(walked.steps[1]).toMatchObject({
    brief: '#a · 2',
    at: 6000,
    reward: { score: 0.3 },
    notes: ['No screenshot: the page hangs', 'cleanup: slow'],
  });
});

test('repeated evidence is marked, and the last is always shown', () => {
  const [start, step] = walked.steps;
  expect(start?.look?.verdict).toMatchObject({ verdict: 'fail', isRepeated: false });
  expect(step?.look?.verdict).toMatchObject({ verdict: 'fail', isRepeated: true });
  expect(walked.final?.verdict).toMatchObject({ verdict: 'pass', isRepeated: false });
  expect(walked.final?.verdict?.lines[0]).toMatch(/^Passed: /);
});

test('a call without a result is included', () => {
  const { steps } = episodeView(journal(call('c1'), { type: 'stop', status: 'timeout', reason: 'Time.' }));
  expect(steps).toHaveLength(1);
  expect(steps[0]?.result).toBeUndefined();
});

test('results are matched to their calls, also if two were sent at once', () => {
  const { steps } = episodeView(
    journal(call('c1'), call('c2', 'agent', 2), { ...result('c2'), text: 'two' }, { ...result('c1'), text: 'one' }),
  );
  expect(steps.map((step) => step.result?.text.text)).toEqual(['one', 'two']);
});

test('a journal without its start is refused', () => {
  expect(() => episodeView(documentedEvents.slice(1))).toThrow('The journal has no start event.');
});

describe('lanes', () => {
  const final = (verdict: 'pass' | 'fail', lane?: string) => ({
    type: 'contract_eval' as const,
    phase: 'final' as const,
    verdict,
    ...(lane === undefined ? {} : { executorId: lane }),
  });

  it('compares a page with the page of its own lane', () => {
    const view = episodeView(
      madeJournal([
        called('c1', 1, 'left'),
        seen('https://left.test/', 'left', 'c1'),
        called('c2', 2, 'right'),
        seen('https://right.test/', 'right', 'c2'),
        called('c3', 3, 'left'),
        seen('https://left.test/', 'left', 'c3'),
        stopped(),
      ]),
    );
    expect(view.steps.map(({ lane, look }) => [lane, look?.changes.map(({ tag }) => tag)])).toEqual([
      ['left', ['url']],
      ['right', ['url']],
      ['left', []],
    ]);
  });

  it('shows the last look and the last picture of the lane that decides', () => {
    const view = episodeView(
      madeJournal([
        final('fail'),
        pictured(undefined, 1),
        final('pass', 'left'),
        pictured(undefined, 2, 'left'),
        final('fail', 'right'),
        pictured(undefined, 3, 'right'),
        stopped({ status: 'passed' }),
      ]),
    );
    expect(view.final?.verdict?.verdict).toBe('pass');
    expect(view.finalPicture).toBe('screenshots/002.jpg');
  });
});
