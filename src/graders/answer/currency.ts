/** The amount of money that a response gives. Where both sides name a currency, it must be the same; amounts are not converted. */
import { type AmountRead, type Checker, findAmounts, parseAmount } from '../../cases/index.ts';
import { type CheckResult, checkError, fail, passIf } from './check-result.ts';
import { givenValue } from './given-value.ts';
import { isClose } from './numeric.ts';

type CurrencyOptions = Partial<Extract<Checker, { kind: 'currency' }>>;

export function checkCurrency(response: string, expected: unknown, options: CurrencyOptions = {}): CheckResult {
  const { currency, require_currency = false, decimal } = options;
  const right = parseAmount(expected, decimal);
  if (!right) return checkError('The expected answer is not an amount of money.');
  if (right.problem !== undefined) return checkError(`The expected answer is not clear: ${right.problem}.`);
  const wanted = currency === undefined ? right.currencies : new Set([currency]);
  const shown = [...(wanted ?? [])].length === 1 ? `${right.value} ${[...(wanted ?? [])].join('')}` : right.text;
  const given = givenValue<AmountRead>(response, {
    name: 'amount',
    find: (text) => findAmounts(text, decimal),
    isSame: (a, b) => a.value === b.value && canBeSame(a.currencies, b.currencies),
  });
  if ('problem' in given) return fail({ reason: given.problem, expected: shown });
  const { value, currencies, text } = given.value;
  if (require_currency && currencies === undefined)
    return fail({ reason: `The response says ${text}, without a currency.`, found: value, expected: shown });
  const isRight = canBeSame(currencies, wanted) && isClose(value, right.value, options);
  const reason = isRight ? `The response says ${text}.` : `The response says ${text}, not ${shown}.`;
  return passIf(isRight, { reason, found: value, expected: shown });
}

function canBeSame(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  return a === undefined || b === undefined || [...a].some((code) => b.has(code));
}
