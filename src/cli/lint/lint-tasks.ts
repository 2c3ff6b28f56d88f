/** All rules over all tasks. */
import { type LoadedTask, loadTasks } from '../../episode/index.ts';
import { WaymarkError } from '../../errors/index.ts';
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
    if (!(error instanceof WaymarkError) || error.code !== 'usage_bad_tasks') throw error;
    return { tasks: 0, findings: specFindings(error.message) };
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

/** The loader tells its problems as lines: `file: $.path: message`. */
function specFindings(message: string): Finding[] {
  const [head = '', ...lines] = message.split('\n');
  const finding = (source: string, path: string, said: string): Finding => ({
    source,
    rule: 'bad_task',
    severity: LINT_RULES.bad_task,
    path,
    message: said,
  });
  if (lines.length === 0) return [finding('tasks', '$', head)];
  return lines.map((line) => {
    const [, source = 'tasks', path = '$', said = line] = /^(.*?): (?:(\$[^:]*): )?(.*)$/.exec(line) ?? [];
    return finding(source, path, said);
  });
}
