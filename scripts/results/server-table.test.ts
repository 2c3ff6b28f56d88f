import { expect, test } from 'vitest';
import { serverTable } from './server-table.ts';

test('names each oracle that a server cannot replay, with the reason', () => {
  const passed = { taskId: 'a', success: true, outcome: 'passed', reason: 'The contract passes.' } as const;
  const reason = 'The server has no tool that drags:\nchoose one of click | type.';
  const other = { taskId: 'b', success: false, outcome: 'adapter_error', reason } as const;
  expect(
    serverTable([
      { server: 'one 1.0', results: [passed] },
      { server: 'two 2.0', results: [passed, other] },
    ]),
  ).toBe(
    [
      '| server | oracles that pass | cannot be expressed there, and why |',
      '| --- | --- | --- |',
      '| one 1.0 | 1 of 1 | none |',
      '| two 2.0 | 1 of 2 | `b`: adapter_error. The server has no tool that drags: choose one of click \\| type. |',
    ].join('\n'),
  );
});
