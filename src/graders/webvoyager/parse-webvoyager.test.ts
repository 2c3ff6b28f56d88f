import { expect, test } from 'vitest';
import { parseWebvoyager } from './parse-webvoyager.ts';

test.each([
  ['{"thoughts": "All there.", "verdict": "SUCCESS"}', 'pass'],
  ['{"thoughts": "The answer says SUCCESS.", "verdict": "NOT SUCCESS"}', 'fail'],
  ['All is shown.\nSUCCESS', 'pass'],
  ['All is shown.\n\n**Verdict: SUCCESS.**', 'pass'],
  ['All is shown.\nFinal verdict: "success"', 'pass'],
  ['Nothing is shown.\nNOT SUCCESS', 'fail'],
  ['Nothing is shown, so NOT SUCCESS.', 'fail'],
  ['Verdict: not success', 'fail'],
  ['NOT SUCCESS: the answer is wrong.\nThe page says SUCCESS', 'fail'],
])('%j is a %s', (reply, verdict) => {
  expect(parseWebvoyager(reply)?.verdict).toBe(verdict);
});

test.each([
  '',
  'FAILURE',
  'SUCCESSFUL',
  'I cannot see a SUCCESS here.',
  'SUCCESS is claimed by the answer\nbut I cannot tell.',
  'No success',
  'Unsuccessful',
  '{"verdict": "SUCCESS"}',
  'It says {"thoughts": "x", "verdict": "SUCCESS"}',
])('%j has no verdict', (reply) => {
  expect(parseWebvoyager(reply)).toBeUndefined();
});
