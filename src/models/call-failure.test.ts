import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAILURE_CLASSES } from './call-failure.ts';

test('the reference lists every class of failure as it is', () => {
  const page = readFileSync(new URL('../../docs/reference/providers.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+) \| (yes|no) \|/gm)].map(([, code, fault, again]) => [
    code,
    { fault, canRetry: again === 'yes' },
  ]);
  expect(Object.fromEntries(rows)).toEqual(FAILURE_CLASSES);
});
