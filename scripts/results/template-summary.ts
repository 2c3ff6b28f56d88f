/** What task templates have, from their files alone: solutions, near misses, and how long their oracles are over the seeds. */

interface MadeTask {
  readonly task: { readonly id: string };
  readonly oracle: { readonly moves: readonly unknown[] };
  readonly solutions: readonly unknown[];
  readonly nearMisses: Readonly<Record<string, unknown>>;
}

export interface SeedTasks {
  readonly seed: number;
  /** In the order of the templates, which is the same for all seeds. */
  readonly tasks: readonly MadeTask[];
}

/** Instances of one template are equally hard: their oracles differ by one step at most. */
const MAX_DIFFERENCE = 1;

export function templateSummary(made: readonly SeedTasks[]): { text: string; problems: string[] } {
  const all = made.flatMap(({ tasks }) => tasks);
  const templates = made[0]?.tasks.map(({ task: { id } }) => id.replace(/-s\d+$/, '')) ?? [];
  const lengths = templates.map((template, index) => {
    const steps = made.map(({ tasks }) => tasks[index]?.oracle.moves.length ?? 0);
    return { template, steps, difference: Math.max(...steps) - Math.min(...steps) };
  });
  const count = (of: (task: MadeTask) => number): number => all.reduce((sum, task) => sum + of(task), 0);
  const most = Math.max(0, ...lengths.map(({ difference }) => difference));
  return {
    text: `${templates.length} templates with ${made.length === 1 ? 'one seed' : `${made.length} seeds`}: ${all.length} tasks, which have ${count(({ solutions }) => solutions.length)} other solutions and ${count(({ nearMisses }) => Object.keys(nearMisses).length)} near misses of their own. The oracles of one template differ by ${most === 1 ? '1 step' : `${most} steps`} at most.`,
    problems: [
      ...all
        .filter(({ solutions }) => solutions.length === 0)
        .map(({ task }) => `${task.id} has no solution beside its oracle.`),
      ...lengths
        .filter(({ difference }) => difference > MAX_DIFFERENCE)
        .map(({ template, steps }) => `The oracles of ${template} have ${steps.join(', ')} steps.`),
    ],
  };
}
