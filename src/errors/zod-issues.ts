/** A schema's findings as issues with sentences. */
import type { z } from 'zod';
import type { ProblemIssue } from './waymark-error.ts';

/** `results[3].timing.latency_ms` */
export function pathText(path: readonly PropertyKey[], under = ''): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text === '' ? '' : `${text}.`}${String(part)}`),
    under,
  );
}

export function issuesOf(error: z.ZodError, under = ''): ProblemIssue[] {
  return error.issues.map((issue) => {
    const path = pathText(issue.path, under);
    return { path, code: 'schema', message: `${path === '' ? 'It' : path}: ${issue.message}.`.replace(/\.\.$/, '.') };
  });
}

/** The first few findings in one line, for a report that has one line for each line. */
export function sentenceOf(error: z.ZodError): string {
  const found = issuesOf(error).map(({ message }) => message);
  return found.length > 3 ? `${found.slice(0, 3).join(' ')} (${found.length - 3} more)` : found.join(' ');
}
