import { expect, test } from 'vitest';
import { webTables } from './web-table.ts';

test('counts by level and by kind, with intervals', () => {
  const groups = new Map([
    ['a', { level: 'level-1', kind: 'look-up' }],
    ['b', { level: 'level-2', kind: 'change' }],
  ]);
  const results = [
    { taskId: 'a', success: true },
    { taskId: 'b', success: false },
  ];
  expect(webTables([{ name: 'liar', results }], groups)).toBe(
    [
      '| policy | all | level-1 | level-2 |',
      '| --- | --- | --- | --- |',
      '| liar | 1 of 2 (9 to 91 %) | 1 of 1 (21 to 100 %) | 0 of 1 (0 to 79 %) |',
      '',
      '| policy | all | change | look-up |',
      '| --- | --- | --- | --- |',
      '| liar | 1 of 2 (9 to 91 %) | 0 of 1 (0 to 79 %) | 1 of 1 (21 to 100 %) |',
    ].join('\n'),
  );
});
