import { expect, test } from 'vitest';
import { judgeProgress, PROGRESS_LIMITS, type Step } from './progress.ts';

const page = (text: string) => ({ url: 'http://a.test/', regions: { main: text } });
const read = (call: string, text: string): Step => ({ call, reads: true, state: page(text), around: '0' });
const act = (call: string, text: string): Step => ({ call, reads: false, state: page(text), around: '0' });
const fail = (call: string, failed = 'not_found'): Step => ({ call, reads: false, failed });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

test('nothing done is nothing to worry about', () => {
  expect(judgeProgress([]).status).toBe('progressing');
});

test('reading on is news however long it takes; the same again is not', () => {
  expect(judgeProgress(times(40, (i) => read(`read ${i}`, 'x'))).quiet).toBe(0);
  const { quiet } = PROGRESS_LIMITS;
  const same = (n: number) => judgeProgress([read('read', 'x'), ...times(n, () => read('read', 'x'))]);
  expect(same(quiet.stalling - 1).status).toBe('progressing');
  expect(same(quiet.stalling)).toEqual({
    status: 'stalling',
    quiet: 3,
    failures: 0,
    sameFailure: 0,
    reason: '3 calls in a row brought nothing new',
  });
  expect(same(quiet.stuck).status).toBe('stuck');
});

test('acting without effect is no news, a new state is', () => {
  const idle = [act('start', 'x'), ...times(3, (i) => act(`click ${i}`, 'x'))];
  expect(judgeProgress(idle).status).toBe('stalling');
  expect(judgeProgress([...idle, act('click', 'y')]).status).toBe('progressing');
});

test('an action whose effect is in no state is news the first time, and not when it is made again', () => {
  const draw = (place: number): Step => ({ ...act(`click ${place}`, 'x'), isUnseen: true });
  expect(judgeProgress([act('start', 'x'), ...times(9, draw)]).quiet).toBe(0);
  expect(judgeProgress([act('start', 'x'), ...times(5, () => draw(1))]).status).toBe('stalling');
});

test('going back and forth between known states is no news', () => {
  expect(judgeProgress(times(9, (i) => act('toggle', i % 2 ? 'open' : 'closed'))).status).toBe('stuck');
});

test('failures in a row count, the same one sooner', () => {
  expect(judgeProgress(times(2, (i) => fail(`a${i}`))).status).toBe('progressing');
  expect(judgeProgress(times(3, (i) => fail(`a${i}`))).status).toBe('stalling');
  expect(judgeProgress(times(5, (i) => fail(`a${i}`))).reason).toBe('5 calls in a row failed');
  expect(judgeProgress(times(2, () => fail('a'))).status).toBe('stalling');
  expect(judgeProgress(times(3, () => fail('a')))).toMatchObject({
    status: 'stuck',
    reason: 'the same call failed 3 times in a row',
  });
  expect(judgeProgress([fail('a'), fail('a', 'timeout')]).sameFailure).toBe(1);
  expect(judgeProgress([...times(3, () => fail('a')), act('b', 'new')]).status).toBe('progressing');
});

test('what changes by itself is no news', () => {
  const tick = (i: number): Step => ({
    call: 'read',
    reads: true,
    state: { url: 'http://a.test/', regions: { main: 'x', clock: String(i) } },
    around: '0',
  });
  expect(judgeProgress(times(8, tick)).status).toBe('stuck');
  const acted: Step = {
    call: 'click',
    reads: false,
    state: { url: 'http://a.test/', regions: { main: 'done', clock: '9' } },
    around: '0',
  };
  expect(judgeProgress([...times(8, tick), acted]).status).toBe('progressing');
});

test('a call after which the page could not be observed counts for neither side', () => {
  const blind: Step = { call: 'click', reads: false };
  expect(judgeProgress([act('a', 'x'), ...times(9, () => blind)]).quiet).toBe(0);
});
