/**
 * `grades.jsonl` beside a journal: what graders say of the attempt, one grade a line, appended and never changed. The lines are a hash chain of
 * their own, whose first line is chained to the journal's last: grades can be added to a signed run, and fit no other attempt.
 */
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import { type Grade, gradeSchema } from '../../events/index.ts';
import { HashChain, readLastHash, unchained } from '../../journal/index.ts';
import { JOURNAL_FILE } from './attempt-folders.ts';
import { LineFile, readLines } from './line-file.ts';

export function readGrades(file: string): Grade[] {
  return readLines(file).map((line, index) => gradeOf(file, line, index + 1));
}

export function appendGrades(file: string, grades: readonly Grade[]): void {
  const before = readLines(file);
  const known = new Set(before.map((line, index) => nameOf(gradeOf(file, line, index + 1))));
  for (const grade of grades) {
    const name = nameOf(grade);
    if (known.has(name)) {
      throw new WaymarkError({
        code: 'grade_exists',
        message: `${file} has a grade of ${grade.grader} for round ${grade.round} already: a grade is never written over.`,
        hint: 'Append the next round.',
      });
    }
    known.add(name);
  }
  const chain = new HashChain(gradesSeed(file));
  for (const line of before) chain.follow(Buffer.from(line));
  using lines = new LineFile(file);
  lines.append(grades.map((grade) => `${chain.add(JSON.stringify(gradeSchema.parse(grade)))}\n`).join(''));
  lines.sync();
}

/** What the first grade is chained to: the last hash of the journal beside it. */
export function gradesSeed(file: string): string {
  return readLastHash(path.join(path.dirname(file), JOURNAL_FILE));
}

function nameOf({ grader, round }: Grade): string {
  return `${round} ${grader}`;
}

function gradeOf(file: string, line: string, number: number): Grade {
  try {
    return gradeSchema.parse(JSON.parse(unchained(line)));
  } catch (cause) {
    throw new WaymarkError({ code: 'journal_corrupt', message: `${file}, line ${number}: it is no grade.`, cause });
  }
}
