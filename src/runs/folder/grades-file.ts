/** `grades.jsonl` beside a journal: what graders say of the attempt, one grade a line, appended and never changed. */
import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { WaymarkError } from '../../errors/index.ts';
import { type Grade, gradeSchema } from '../../events/index.ts';
import { fileNotWritten } from '../../journal/index.ts';

/** A torn last line was never acknowledged, and is skipped. */
export function readGrades(file: string): Grade[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : [gradeOf(file, line, index + 1)]));
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
  const lines = grades.map((grade) => `${JSON.stringify(gradeSchema.parse(grade))}\n`).join('');
  let fd: number | undefined;
  try {
    fd = openSync(file, 'a');
    const whole = wholeBytes(file);
    ftruncateSync(fd, whole);
    try {
      writeSync(fd, lines);
      fdatasyncSync(fd);
    } catch (error) {
      ftruncateSync(fd, whole);
      throw error;
    }
  } catch (cause) {
    throw fileNotWritten(file, cause);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function wholeBytes(file: string): number {
  return readFileSync(file).lastIndexOf(0x0a) + 1;
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
