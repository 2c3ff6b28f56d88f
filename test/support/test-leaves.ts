/** Rows of contracts with one leaf as tests: facts, and the verdict and details that they give. */
import { expect, test } from 'vitest';
import { type Contract, type Evidence, evaluateFacts, type Facts } from '../../src/contracts/index.ts';

export type LeafRow = [string, Contract, Facts, Evidence['verdict'], object];

export function testLeaves(rows: readonly LeafRow[]): void {
  test.each(rows.map((row) => [`${row[0]}: ${row[3]}`, ...row.slice(1)] as LeafRow))(
    '%s',
    (_, contract, facts, verdict, details) => {
      const path = facts.screenshot?.path;
      expect(evaluateFacts(contract, facts)).toStrictEqual({
        verdict,
        passed: verdict === 'pass',
        assertion_kind: contract.kind,
        details,
        ...(path !== undefined && { screenshot_path: path }),
      });
    },
  );
}
