import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as door from './index.ts';

const page = readFileSync(new URL('../../docs/reference/reward.md', import.meta.url), 'utf8');

interface Example {
  call: string;
  args: unknown[];
  returns: unknown;
}
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match): Example => JSON.parse(match[1] ?? ''));
const run = ({ call, args }: Example): unknown => {
  const exported: unknown = Reflect.get(door, call);
  if (typeof exported !== 'function') throw new Error(`${call} is no function of the door`);
  return exported(...args);
};

describe('docs/reference/reward.md', () => {
  it.each(examples.map((example, index) => [`${index + 1}: ${example.call}`, example] as const))(
    'example %s',
    (_name, example) => {
      // Through JSON, as the page shows it: a field that is undefined is not there.
      expect(JSON.parse(JSON.stringify(run(example)))).toEqual(example.returns);
    },
  );

  it('shows every signal', () => {
    const shown = new Set(
      examples.flatMap((e) =>
        e.call === 'score' ? door.score(e.args[0] as door.RewardInput).reasons.map((r) => r.signal) : [],
      ),
    );
    expect([...shown].sort()).toEqual([...door.REWARD_SIGNALS].sort());
  });

  it('has the constants, limits and provenance as they are', () => {
    const rows = [...page.slice(page.indexOf('## Constants')).matchAll(/^\| (\w+) \| (-?[\d.]+) \| (.+) \|$/gm)].map(
      ([, name, value, meaning]) => [name, Number(value), meaning],
    );
    expect(rows).toEqual(
      Object.entries(door.REWARD_CONSTANTS).map(([name, { value, meaning }]) => [name, value, meaning]),
    );
    expect(page).toContain(`\`${door.REWARD_PROVENANCE.scorer}\`, \`${door.REWARD_PROVENANCE.constants}\``);
    expect(page).toContain(
      `| nodes | ${door.LEDGER_LIMITS.nodes} |\n| bytes a node | ${door.LEDGER_LIMITS.nodeBytes} |\n| bytes a file | ${door.LEDGER_LIMITS.fileBytes} |`,
    );
  });
});
