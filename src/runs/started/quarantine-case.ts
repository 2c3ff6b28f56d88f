/** Marks a task as quarantined, in its own file: later runs count it apart until a date. Runs that are there stay as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { putText } from '../../journal/index.ts';

export interface Quarantine {
  reason: string;
  /** A date, such as 2026-12-31. */
  until: string;
}

/** The file that was changed, or refused with what to do. `folder`: of the suite. */
export function quarantineCase(folder: string, caseId: string, quarantine: Quarantine): string {
  const file = readdirSync(folder).find(
    (name) => name.endsWith('.task.json') && idIn(path.join(folder, name)) === caseId,
  );
  if (file === undefined)
    throw new WaymarkError({
      code: 'not_found',
      message: `The suite has no file of its own for the case ${caseId}.`,
      hint: 'A task in a module, in a list of several or made by a template is quarantined there: "quarantine": { "reason": …, "until": … }.',
    });
  const place = path.join(folder, file);
  const text = readFileSync(place, 'utf8');
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  putText(place, `${JSON.stringify({ ...JSON.parse(text), quarantine }, null, indent)}\n`);
  return file;
}

function idIn(file: string): unknown {
  try {
    return (Object(JSON.parse(readFileSync(file, 'utf8'))) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
}
