/** The response's JSON equals the answer's: keys in any order, numbers within a tolerance; with `subset`, additional keys are allowed. */
import type { Checker } from '../../cases/index.ts';
import { asText } from './as-text.ts';
import { type CheckAnswer, type CheckResult, fail, passIf, quote } from './check-result.ts';
import { findJson } from './find-json.ts';
import { isClose } from './numeric.ts';

type JsonChecker = Extract<Checker, { kind: 'json' }>;

export function checkJson(
  response: string,
  answer: unknown,
  checker: Partial<JsonChecker> = {},
  check?: CheckAnswer,
): CheckResult {
  const found = findJson(response);
  const wanted = textAsJson(answer);
  const expected = quote(JSON.stringify(wanted) ?? '');
  if (!found.ok) return fail({ reason: 'The response contains no JSON.', expected });
  const said = found.value;
  const byKey = check ? checkKeys(said, wanted, checker, check) : { checked: new Set<string>() };
  if (byKey.error) return byKey.error;
  const rest = (value: unknown): unknown => (isRecord(value) ? withoutKeys(value, byKey.checked) : value);
  const difference = byKey.difference ?? differs(rest(said), rest(wanted), checker, '$');
  const reason = difference === undefined ? 'The JSON is the same.' : `The JSON differs at ${difference}.`;
  return passIf(difference === undefined, { reason, found: quote(JSON.stringify(said) ?? ''), expected });
}

interface KeysChecked {
  /** Keys that have been compared. */
  readonly checked: ReadonlySet<string>;
  readonly difference?: string;
  readonly error?: CheckResult;
}

/** The keys of the outermost object that have a checker of their own, and those that are empty on both sides. */
function checkKeys(said: unknown, right: unknown, checker: Partial<JsonChecker>, check: CheckAnswer): KeysChecked {
  const checked = new Set<string>();
  if (!isRecord(said) || !isRecord(right)) return { checked };
  const { keys = {}, empty_as_null = false } = checker;
  const ownValue = (from: Record<string, unknown>, key: string): unknown =>
    Object.hasOwn(from, key) ? from[key] : undefined;
  for (const [key, wanted] of Object.entries(right)) {
    const value = ownValue(said, key);
    if (empty_as_null && isEmpty(value) && isEmpty(wanted)) checked.add(key);
    const own = Object.hasOwn(keys, key) ? keys[key] : undefined;
    // What is missing or null on one side is left to the comparison of JSON.
    if (checked.has(key) || own === undefined || isNull(value) || isNull(wanted)) continue;
    checked.add(key);
    const result = check({ checker: own, expected: wanted }, asText(value));
    if (result.verdict === 'error') return { checked, error: result };
    if (result.verdict !== 'pass')
      return { checked, difference: quote(`$.${key}: ${result.detail.reason.replace(/\.$/, '')}`) };
  }
  return { checked };
}

function isNull(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  return isNull(value) || value === '' || (Array.isArray(value) && value.length === 0);
}

function withoutKeys(value: Record<string, unknown>, keys: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
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
