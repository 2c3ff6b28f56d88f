/** Tasks that no attempt of several runs has ever passed: they are too hard for the agents, or can't be done. */
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { isQuestionRun, isRun } from '../folder/run-file.ts';
import { readReport } from '../report.ts';
import { type CheckFinding, finding } from './check-finding.ts';

/** By task. Reads the reports of the runs, and starts nothing. */
export function neverPassed(runs: readonly string[]): Map<string, CheckFinding> {
  const tasks = new Map<string, { attempts: number; passed: number; agents: Set<string> }>();
  for (const root of runs) {
    if (!isRun(root) || isQuestionRun(root))
      throw new WaymarkError({
        code: 'usage_no_run',
        message: `${path.resolve(root)} is not the folder of a run of tasks.`,
        hint: 'Give folders that waymark run has written, separated by commas.',
      });
    const { agent, episodes } = readReport(root);
    for (const { taskId, success, interrupted } of episodes) {
      if (interrupted) continue;
      const known = tasks.get(taskId) ?? { attempts: 0, passed: 0, agents: new Set() };
      known.agents.add(agent);
      tasks.set(taskId, { ...known, attempts: known.attempts + 1, passed: known.passed + (success ? 1 : 0) });
    }
  }
  return new Map(
    [...tasks].flatMap(([taskId, { attempts, passed, agents }]) => {
      if (passed > 0) return [];
      const who = [...agents].sort().join(', ');
      const message = `None of the ${attempts} attempts of the given runs has passed (agents: ${who}): the task is too hard for these agents, or it can't be done.`;
      return [[taskId, finding('never_passed', message)] as const];
    }),
  );
}
