import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as reward from './index.ts';

const page = readFileSync(new URL('../../docs/reference/reward.md', import.meta.url), 'utf8');

interface Example {
  call: string;
  args: unknown[];
  returns: unknown;
}
const examples = [...page.matchAll(/^```json\n(.*?)^```$/gms)].map((match): Example => JSON.parse(match[1] ?? ''));
const run = ({ call, args }: Example): unknown => {
  const exported: unknown = Reflect.get(reward, call);
  if (typeof exported !== 'function') throw new Error(`${call} is no function of the reward`);
  return exported(...args);
};

describe('docs/reference/reward.md', () => {
  it.each(examples.map((example, index) => [`${index + 1}: ${example.call}`, example] as const))(
    'example %s',
    (_name, example) => {
      // Through JSON, as on the page, because undefined fields are left out.
      expect(JSON.parse(JSON.stringify(run(example)))).toEqual(example.returns);
    },
  );

  it('shows every signal', () => {
    const shown = new Set(
      examples.flatMap((e) =>
        e.call === 'score' ? reward.score(e.args[0] as reward.RewardInput).reasons.map((r) => r.signal) : [],
      ),
    );
    expect([...shown].sort()).toEqual([...reward.REWARD_SIGNALS].sort());
  });

  it('has the current constants, limits and provenance', () => {
    const rows = [...page.slice(page.indexOf('## Constants')).matchAll(/^\| (\w+) \| (-?[\d.]+) \| (.+) \|$/gm)].map(
      ([, name, value, meaning]) => [name, Number(value), meaning],
    );
    expect(rows).toEqual(
      Object.entries(reward.REWARD_CONSTANTS).map(([name, { value, meaning }]) => [name, value, meaning]),
    );
    expect(page).toContain(`\`${reward.REWARD_PROVENANCE.scorer}\`, \`${reward.REWARD_PROVENANCE.constants}\``);
    expect(page).toContain(
      `| nodes | ${reward.LEDGER_LIMITS.nodes} |\n| bytes per node | ${reward.LEDGER_LIMITS.nodeBytes} |\n| bytes per file | ${reward.LEDGER_LIMITS.fileBytes} |`,
    );
  });
});
