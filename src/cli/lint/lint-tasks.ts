/** Runs all rules on all tasks. */
import { BadTasks, type LoadedTask, loadTasks } from '../../cases/index.ts';
import { contractRules } from './contracts.ts';
import { fileRules } from './files.ts';
import { type Finding, LINT_RULES, type Rule } from './finding.ts';
import { hostRules } from './hosts.ts';
import { textRules } from './texts.ts';

const RULES: readonly Rule[] = [contractRules, fileRules, hostRules, textRules];

export interface Linted {
  tasks: number;
  findings: Finding[];
}

export async function lintTasks(places: readonly string[]): Promise<Linted> {
  try {
    const tasks = await loadTasks(places);
    return { tasks: tasks.length, findings: tasks.flatMap(lintTask) };
  } catch (error) {
    if (!(error instanceof BadTasks)) throw error;
    const found = { rule: 'bad_task', severity: LINT_RULES.bad_task } as const;
    return { tasks: 0, findings: error.problems.map((problem) => ({ ...found, ...problem })) };
  }
}

export function lintTask(loaded: LoadedTask): Finding[] {
  const about = { source: loaded.source, taskId: loaded.task.id };
  return RULES.flatMap((rule) => rule(loaded)).map((found) => ({
    ...about,
    severity: LINT_RULES[found.rule],
    ...found,
  }));
}
