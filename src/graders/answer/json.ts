/** The response's JSON equals the answer's: keys in any order, numbers within a tolerance; with `subset`, additional keys are allowed. */
import type { Checker } from '../../cases/index.ts';
import { type CheckResult, fail, passIf, quote } from './check-result.ts';
import { findJson } from './find-json.ts';
import { isClose } from './numeric.ts';

type JsonChecker = Extract<Checker, { kind: 'json' }>;

export function checkJson(response: string, answer: unknown, checker: Partial<JsonChecker> = {}): CheckResult {
  const found = findJson(response);
  const wanted = textAsJson(answer);
  const expected = quote(JSON.stringify(wanted) ?? '');
  if (!found.ok) return fail({ reason: 'The response contains no JSON.', expected });
  const difference = differs(found.value, wanted, checker, '$');
  const reason = difference === undefined ? 'The JSON is the same.' : `The JSON differs at ${difference}.`;
  return passIf(difference === undefined, { reason, found: quote(JSON.stringify(found.value) ?? ''), expected });
}

/** Datasets write the expected JSON as a value or as JSON text. */
function textAsJson(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer;
  const parsed = findJson(answer);
  return parsed.ok ? parsed.value : answer;
}

/** The first difference. The reader has limited the depth. */
function differs(said: unknown, right: unknown, checker: Partial<JsonChecker>, path: string): string | undefined {
  if (typeof said === 'number' && typeof right === 'number') return isClose(said, right, checker) ? undefined : path;
  if (Array.isArray(said) && Array.isArray(right)) {
    if (said.length !== right.length) return `${path}.length`;
    return firstOf(right.map((one: unknown, index) => () => differs(said[index], one, checker, `${path}[${index}]`)));
  }
  if (isRecord(said) && isRecord(right)) {
    const extra = checker.subset ? undefined : Object.keys(said).find((key) => !Object.hasOwn(right, key));
    if (extra !== undefined) return `${path}.${extra}`;
    return firstOf(
      Object.entries(right).map(
        ([key, one]) =>
          () =>
            Object.hasOwn(said, key) ? differs(said[key], one, checker, `${path}.${key}`) : `${path}.${key}`,
      ),
    );
  }
  return said === right ? undefined : path;
}

function firstOf(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const found = look();
    if (found !== undefined) return quote(found, 120);
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
