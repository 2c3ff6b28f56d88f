/** What a schema found, in words: the one place that writes the path of a field and a finding about it. */
import type { z } from 'zod';
import type { ProblemIssue } from './waymark-error.ts';

/** Of a ZodError, or a part of its issues. */
interface Findings {
  readonly issues: readonly Pick<z.core.$ZodIssue, 'path' | 'message'>[];
}

/** `results[3].timing.latency_ms`; under `$`: `$.moves[0].action`. */
export function pathText(path: readonly PropertyKey[], under = ''): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text === '' ? '' : `${text}.`}${String(part)}`),
    under,
  );
}

/** Each finding as `path: message`, without a full stop, so that it can stand in a list or in a longer sentence. */
export function findingsOf({ issues }: Findings, under = ''): string[] {
  return issues.map(({ path, message }) => `${pathText(path, under) || 'It'}: ${message.replace(/\.$/, '')}`);
}

export function issuesOf(error: Findings, under = ''): ProblemIssue[] {
  const sentences = findingsOf(error, under).map((finding) => `${finding}.`);
  return error.issues.map(({ path }, index) => ({
    path: pathText(path, under),
    code: 'schema',
    message: sentences[index] ?? '',
  }));
}

/** The first few findings in one line. */
export function sentenceOf(error: Findings, show = 3): string {
  const found = findingsOf(error).map((finding) => `${finding}.`);
  return found.length > show ? `${found.slice(0, show).join(' ')} (${found.length - show} more)` : found.join(' ');
}
