import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { messageOf, traceOf, WaymarkError } from './index.ts';

const SECRET = 'the answer of a person';

function refusal(): DrizzleQueryError {
  const cause = Object.assign(new Error(`invalid input syntax for type uuid: "${SECRET}"`), {
    severity: 'ERROR',
    code: '22P05',
    table: 'grade',
    column: 'details',
    constraint: undefined,
    detail: SECRET,
    query: 'insert into grade',
    params: [SECRET],
  });
  return new DrizzleQueryError('insert into "grade" values ($1)', [SECRET, 'x'.repeat(5_000_000)], cause);
}

test('an error of the database is told by its SQLSTATE and its names, without statement and values', () => {
  expect(messageOf(refusal())).toBe('The database refused a value (SQLSTATE 22P05, table grade, column details).');
  expect(messageOf(refusal().cause)).toBe(messageOf(refusal()));
});

test('the log has its stack, and not its text or its causes', () => {
  const trace = traceOf(refusal());
  expect(trace).toMatch(
    /^The database refused a value \(SQLSTATE 22P05, table grade, column details\)\.\n {4}at .*refusal/,
  );
  expect(trace).not.toContain(SECRET);
  expect(trace).not.toContain('insert into');
  expect(trace.length).toBeLessThan(5_000);
});

test('an error of ours keeps its words, and its cause is told without values', () => {
  const ours = new WaymarkError({ code: 'internal', message: 'The grades were not written.', cause: refusal() });
  expect(messageOf(ours)).toBe('The grades were not written.');
  const trace = traceOf(ours);
  expect(trace).toContain('The grades were not written.');
  expect(trace).toContain('caused by: The database refused a value (SQLSTATE 22P05');
  expect(trace).not.toContain(SECRET);
});

test('a connection that was lost is told by the words of the network', () => {
  const lost = new DrizzleQueryError('select 1', [SECRET], new Error('Connection terminated unexpectedly'));
  expect(messageOf(lost)).toBe('The database did not answer: Connection terminated unexpectedly');
});
