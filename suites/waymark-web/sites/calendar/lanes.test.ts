import { expect, test } from 'vitest';
import { hoursOf, lanesOf } from './lanes.ts';

const span = (text: string) => {
  const [start = '', end = ''] = text.split(' ');
  return { start, end };
};
const lanes = (...texts: string[]) => lanesOf(texts.map(span)).map(({ lane, lanes: all }) => `${lane + 1} of ${all}`);

test('events that overlap stand beside each other, others have the whole width', () => {
  expect(lanes('09:00 10:00', '10:00 11:00')).toEqual(['1 of 1', '1 of 1']);
  expect(lanes('09:00 10:00', '09:30 11:00', '14:00 15:00')).toEqual(['1 of 2', '2 of 2', '1 of 1']);
});

test('a lane is used again when it is free', () => {
  expect(lanes('09:00 12:00', '09:30 10:00', '10:00 11:00')).toEqual(['1 of 2', '2 of 2', '2 of 2']);
});

test('a week shows the hours of its events, and those of an office at least', () => {
  expect(hoursOf([])).toEqual({ first: 8, last: 18 });
  expect(hoursOf([span('06:30 07:00'), span('19:15 20:15')])).toEqual({ first: 6, last: 21 });
});
