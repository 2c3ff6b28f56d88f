/** A judge with a model server behind it, opened as the product opens it; waits between retries are left out. */
import type { GradeJudge } from '../../src/graders/index.ts';
import { JudgeBudget, type JudgeLimits, judgeModel } from '../../src/graders/index.ts';
import { type CallLimits, type ModelChoice, openModel, systemContext } from '../../src/models/index.ts';

export interface JudgeSetup {
  readonly judge: GradeJudge;
  readonly budget: JudgeBudget;
  /** What was kept with the grade, by its name. */
  readonly kept: Map<string, string>;
  readonly keep: (name: string, content: string | Uint8Array) => void;
  /** Of another grade, with the same budget. */
  another(): GradeJudge;
}

export async function setUpJudge(
  choice: ModelChoice,
  { limits = {}, calls = {} }: { limits?: Partial<JudgeLimits>; calls?: Partial<CallLimits> } = {},
): Promise<JudgeSetup> {
  const loopback = () => [{ address: '127.0.0.1', family: 4 }];
  const context = {
    ...systemContext(new AbortController().signal, loopback, { attempts: 3, timeoutMs: 20_000, ...calls }),
    env: { TEST_KEY: 'sk-test-key' },
    sleep: async () => {},
    date: () => new Date('2026-11-01T00:00:00Z'),
  };
  const budget = new JudgeBudget(limits);
  const judges = judgeModel(await openModel({ keyEnv: 'TEST_KEY', ...choice }, context), budget);
  const kept = new Map<string, string>();
  const keep = (name: string, content: string | Uint8Array) => void kept.set(name, String(content));
  return { judge: judges.forGrade(keep), budget, kept, keep, another: () => judges.forGrade(keep) };
}
