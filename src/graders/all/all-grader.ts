/** Several graders of the case together. One that fails decides, whatever the others say; otherwise one that can't tell does. */
import { type AllSpec, type GraderSpec, nameOfSpec } from '../../cases/schemas.ts';
import { gradeAttempt, type NewAssessment } from '../grade-attempt.ts';
import type { Assessment, GradedCase, Grader } from '../grader.ts';

type Make = (spec: GraderSpec) => Promise<Grader>;

const TIMEOUT_MS = 600_000;

/** The parts grade here again, so that this grade needs no other one to be there. */
export function allGrader(spec: AllSpec, make: Make): Grader {
  return {
    name: nameOfSpec(spec),
    version: '1',
    // Each part has a time limit of its own.
    timeoutMs: TIMEOUT_MS,
    async grade(attempt, context) {
      const grades: NewAssessment[] = [];
      for (const name of spec.of) {
        const part = partOf(name, attempt.subject);
        if (!part) return { verdict: 'error', reasoning: `The case has no grader "${name}".` };
        const keep = (file: string, content: string | Uint8Array): void => context.keep(`${name}-${file}`, content);
        grades.push(await gradeAttempt(await make(part), attempt, { ...context, keep }));
      }
      return together(grades);
    },
  };
}

function partOf(name: string, subject: GradedCase): GraderSpec | undefined {
  const graders = subject.kind === 'task' ? (subject.task.graders ?? []) : [];
  return graders.find((one) => nameOfSpec(one) === name) ?? (name === 'contract' ? { grader: 'contract' } : undefined);
}

function together(grades: readonly NewAssessment[]): Assessment {
  const parts = grades.map(({ grader, version, verdict, score, reasoning = '' }) => ({
    grader,
    version: version ?? null,
    verdict,
    score,
    reasoning,
  }));
  const decisive =
    parts.find(({ verdict }) => verdict === 'fail') ??
    parts.find(({ verdict }) => verdict === 'error') ??
    parts.find(({ verdict }) => verdict === 'skipped');
  if (!decisive)
    return {
      verdict: 'pass',
      reasoning: `All pass: ${parts.map(({ grader }) => grader).join(', ')}.`,
      details: { parts },
    };
  return { verdict: decisive.verdict, reasoning: `${decisive.grader}: ${decisive.reasoning}`, details: { parts } };
}
