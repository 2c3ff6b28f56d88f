import { expect, test } from 'vitest';
import type { RunProgress } from '../../runs/tasks.ts';
import type { Terminal } from '../terminal.ts';
import { liveText } from './live-text.ts';
import { RunDisplay } from './run-display.ts';

const attempt = (caseId: string, trial = 1) => ({ runId: 'r', caseId, trial, attempt: 1 });
const ended = (caseId: string, status: string, done: number, isRetried = false): RunProgress => ({
  done,
  total: 4,
  attempt: attempt(caseId),
  status,
  reason: status === 'passed' ? 'fine' : 'the page is gone\nmore',
  isRetried,
});

function heard(columns?: number) {
  const said: string[] = [];
  const terminal: Terminal = {
    out: () => {},
    err: (text) => void said.push(text),
    paint: (_, text) => text,
    env: {},
    cwd: '/',
    ...(columns === undefined ? {} : { screen: { columns: () => columns } }),
  };
  return { said, terminal };
}

test('the live line has the count, the rate with its interval, the time left and what runs', () => {
  const state = { done: 12, total: 60, ended: 12, passed: 9, running: ['a', 'b (trial 2)'], elapsedMs: 60_000 };
  expect(liveText(state, 200)).toBe('12/60  75 % passed (47 % to 91 %)  4 min 0 s left  running: a, b (trial 2)');
  expect(liveText({ ...state, done: 0, ended: 0, passed: 0, running: [] }, 200)).toBe('0/60');
  expect(liveText({ ...state, done: 60, running: [] }, 200)).toBe('60/60  75 % passed (47 % to 91 %)');
});

test('the live line is never longer than the terminal is wide', () => {
  const state = { done: 1, total: 9, ended: 1, passed: 1, running: Array(50).fill('task'), elapsedMs: 1 };
  expect(liveText(state, 40)).toHaveLength(39);
  expect(liveText(state, 40).endsWith('…')).toBe(true);
});

test('at a terminal one line is drawn again and again; what did not pass stays above it; at the end it is gone', () => {
  const { said, terminal } = heard(100);
  {
    using display = new RunDisplay('line', terminal, () => 0);
    display.start({ finished: 0, total: 4 });
    display.onEvent({}, attempt('a'));
    display.ended(ended('a', 'passed', 1));
    display.ended(ended('b', 'failed', 2));
  }
  const CLEAR = '\r\u001b[K';
  expect(said).toEqual([
    `${CLEAR}0/4`,
    `${CLEAR}0/4  running: a`,
    `${CLEAR}1/4  100 % passed (21 % to 100 %)  0 s left`,
    CLEAR,
    '2/4  b  failed  the page is gone\n',
    `${CLEAR}2/4  50 % passed (9 % to 91 %)  0 s left`,
    CLEAR,
  ]);
});

test('without a terminal there are plain lines, and an attempt that is tried again is told apart', () => {
  const { said, terminal } = heard();
  using display = new RunDisplay('line', terminal);
  display.start({ finished: 0, total: 4 });
  display.ended(ended('a', 'tool_error', 0, true));
  display.ended(ended('a', 'passed', 1));
  expect(said).toEqual(['0/4  a  tool_error  the page is gone  (tried again)\n', '1/4  a  passed\n']);
});

test('with --json nothing is said', () => {
  const { said, terminal } = heard(80);
  using display = new RunDisplay('none', terminal);
  display.start({ finished: 0, total: 4 });
  display.say('a note');
  display.ended(ended('a', 'failed', 1));
  expect(said).toEqual([]);
});
