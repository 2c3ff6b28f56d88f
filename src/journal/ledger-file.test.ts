import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testFolder } from '../../test/journal/documented-events.ts';
import { LedgerFile } from './ledger-file.ts';

const click = { tool: 'interact', arguments: { ref: 'e3' }, status: 'success' } as const;

describe('LedgerFile', () => {
  it('writes one line per attempt, in order', async () => {
    using folder = testFolder();
    await using ledger = new LedgerFile(folder('ledger.jsonl'));
    const nodes = Array.from({ length: 100 }, () => ledger.add(click));
    await ledger.flush();
    const lines = readFileSync(folder('ledger.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(nodes);
    ledger.add(click);
    await ledger.flush();
    expect(readFileSync(folder('ledger.jsonl'), 'utf8').split('\n')).toHaveLength(102);
  });

  it('stays within its limits and contains no secrets', async () => {
    using folder = testFolder();
    const limits = { nodes: 3, nodeBytes: 400, fileBytes: 10_000 };
    await using ledger = new LedgerFile(folder('ledger.jsonl'), { limits, secrets: ['hunter2'] });
    for (let attempt = 0; attempt < 5; attempt++) ledger.add({ ...click, arguments: { label: 'hunter2' } });
    await ledger.flush();
    const text = readFileSync(folder('ledger.jsonl'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(3);
    expect(text).not.toContain('hunter2');
    expect(ledger.state).toMatchObject({ nodes: 3, dropped: 2 });
  });

  it('reports the first error once, and throws nothing', async () => {
    using folder = testFolder();
    const warnings: string[] = [];
    const onWarning = (message: string) => {
      warnings.push(message);
      throw new Error('a listener of bad manners');
    };
    const ledger = new LedgerFile(folder('no/such/ledger.jsonl'), { onWarning });
    for (let round = 0; round < 3; round++) {
      expect(ledger.add(click)).toMatchObject({ tool: 'interact' });
      await ledger.flush();
    }
    await ledger.close();
    expect(warnings).toEqual([
      `The ledger ${folder('no/such/ledger.jsonl')} could not be written: its folder does not exist (ENOENT).`,
    ]);
  });

  it("does not change an earlier attempt's ledger", async () => {
    using folder = testFolder();
    writeFileSync(folder('ledger.jsonl'), 'earlier\n');
    const warnings: string[] = [];
    await using ledger = new LedgerFile(folder('ledger.jsonl'), { onWarning: (message) => warnings.push(message) });
    ledger.add(click);
    await ledger.flush();
    expect(warnings).toHaveLength(1);
    expect(readFileSync(folder('ledger.jsonl'), 'utf8')).toBe('earlier\n');
  });

  it('ignores attempts after closing', async () => {
    using folder = testFolder();
    const ledger = new LedgerFile(folder('ledger.jsonl'));
    ledger.add(click);
    await ledger.close();
    ledger.add(click);
    await ledger.flush();
    expect(readFileSync(folder('ledger.jsonl'), 'utf8').split('\n')).toHaveLength(2);
  });
});
