/** What `waymark import` prints: how many tasks are judged by what, why a judge is needed, and what could not be imported. */
import { type ImportedSource, judgedBy, judgedByText } from '../cases/importing.ts';
import { counted, someOf } from '../errors/index.ts';

const SHOWN_IDS = 10;

type Named = { readonly id: string; readonly reason: string };

export function importText({ tasks, notPortable }: ImportedSource, folder: string): string {
  const lines = [tasks.length === 0 ? 'No task was written.' : `${counted(tasks.length, 'task')} written to ${folder}`];
  const ways = Map.groupBy(tasks, ({ task }) => judgedByText(judgedBy(task)));
  for (const [way, judged] of ways) {
    const why = new Set(judged.flatMap((one) => one.why ?? []));
    lines.push(`  ${judged.length} ${way}${why.size === 0 ? '' : `. ${[...why].join(' ')}`}`);
  }
  const noted = groups(tasks.flatMap(({ task, notes }) => notes.map((reason) => ({ id: task.id, reason }))));
  if (noted.size > 0) lines.push('', 'Notes:');
  for (const [reason, ids] of noted) lines.push(`  ${reason} ${counted(ids.length, 'task')}, the first is ${ids[0]}`);
  if (notPortable.length > 0) lines.push('', `${counted(notPortable.length, 'row')} without a task:`);
  for (const [reason, ids] of groups(
    notPortable.map(({ needs, ...row }) => ({ ...row, reason: withNeed(row, needs) })),
  ))
    lines.push(`  ${reason} ${someOf(ids, SHOWN_IDS)}`);
  if (tasks.length > 0) lines.push('', `Next: waymark lint ${folder}`);
  return `${lines.join('\n')}\n`;
}

export function importJson(imported: ImportedSource, folder: string, files: readonly string[]): string {
  const { tasks, notPortable, source } = imported;
  const ways = Map.groupBy(tasks, ({ task }) => judgedByText(judgedBy(task)));
  const judged = [...ways.values()].map((list) => ({
    tasks: list.length,
    ...(list[0] ? judgedBy(list[0].task) : {}),
    why: [...new Set(list.flatMap((one) => one.why ?? []))],
  }));
  const notes = tasks.map(({ task, notes: own }) => ({ id: task.id, notes: own }));
  const rows = notPortable.map(({ id, needs, reason }) => ({ id, needs: needs ?? null, reason }));
  return `${JSON.stringify({ ...source, folder, files, judged, notes, notPortable: rows }, null, 2)}\n`;
}

/** What differs from row to row stands in brackets at the end of a reason; --json has it. */
function groups(rows: readonly Named[]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const { id, reason } of rows) {
    const key = reason.replace(/ \([^()]*(?:\([^()]*\)[^()]*)*\)\./, '.');
    byReason.set(key, [...(byReason.get(key) ?? []), id]);
  }
  return byReason;
}

function withNeed({ reason }: Named, needs: string | undefined): string {
  return needs === undefined ? reason : `${reason} A grader of the kind ${needs} could do it.`;
}
