/** `grades.jsonl` beside a journal: what graders say of the attempt, one grade a line, appended and never changed. */
import { WaymarkError } from '../../errors/index.ts';
import { type Grade, gradeSchema } from '../../events/index.ts';
import { LineFile, readLines } from './line-file.ts';

export function readGrades(file: string): Grade[] {
  return readLines(file).map((line, index) => gradeOf(file, line, index + 1));
}

export function appendGrades(file: string, grades: readonly Grade[]): void {
  const known = new Set(readGrades(file).map(nameOf));
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
  using lines = new LineFile(file);
  lines.append(grades.map((grade) => `${JSON.stringify(gradeSchema.parse(grade))}\n`).join(''));
  lines.sync();
}

function nameOf({ grader, round }: Grade): string {
  return `${round} ${grader}`;
}

function gradeOf(file: string, line: string, number: number): Grade {
  try {
    return gradeSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new WaymarkError({ code: 'journal_corrupt', message: `${file}, line ${number}: it is no grade.`, cause });
  }
}
