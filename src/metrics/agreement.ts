/** How far a judge agrees with a reference: people's labels, or the grader that decides. Only pairs of a pass or a failure on both sides count. */
import { requireCount } from './bad-input.ts';
import { type AgreementTable, cohensKappa, type Kappa } from './kappa.ts';
import { type Interval, wilsonInterval } from './wilson.ts';

/** A share of a count, with Wilson's interval. */
export interface Share {
  count: number;
  of: number;
  /** Null if nothing is counted. */
  rate: number | null;
  interval: Interval;
}

/** Pairs that are in no table and no share. */
export interface NotCompared {
  /** The reference gave no verdict. */
  noReference: number;
  /** The judge failed. */
  judgeError: number;
  /** The judge was not asked, or does not apply. */
  judgeSkipped: number;
}

export interface Agreement {
  compared: number;
  table: AgreementTable;
  notCompared: NotCompared;
  /** Same verdicts. */
  agreement: Share;
  kappa: Kappa;
  /** Of what the judge passed, what the reference passed. */
  precision: Share;
  /** Of what the reference passed, what the judge passed. */
  recall: Share;
  /** Of what the reference failed, what the judge failed. */
  specificity: Share;
}

/**
 * The numbers of a table of counts.
 *
 * @example
 * const { agreement, precision, kappa } = agreementOf({ bothPass: 8, onlyJudge: 2, onlyReference: 1, neither: 9 });
 * [agreement.rate, precision.rate, kappa.value?.toFixed(2)]; // => [0.85, 0.8, '0.70']
 */
export function agreementOf(table: AgreementTable, notCompared: Partial<NotCompared> = {}): Agreement {
  const { bothPass, onlyJudge, onlyReference, neither } = table;
  const left = { noReference: 0, judgeError: 0, judgeSkipped: 0, ...notCompared };
  for (const [name, count] of Object.entries(left)) requireCount(name, count);
  const kappa = cohensKappa(table);
  const compared = bothPass + onlyJudge + onlyReference + neither;
  return {
    compared,
    table: { bothPass, onlyJudge, onlyReference, neither },
    notCompared: left,
    agreement: shareOf(bothPass + neither, compared),
    kappa,
    precision: shareOf(bothPass, bothPass + onlyJudge),
    recall: shareOf(bothPass, bothPass + onlyReference),
    specificity: shareOf(neither, neither + onlyJudge),
  };
}

type Verdict = 'pass' | 'fail' | 'error' | 'skipped';

/**
 * Counts pairs as they come; holds none of them.
 *
 * @example
 * const fold = new AgreementFold();
 * fold.add('pass', 'pass');
 * fold.add('fail', 'error');
 * [fold.result().compared, fold.result().notCompared.judgeError]; // => [1, 1]
 */
export class AgreementFold {
  readonly #table: AgreementTable = { bothPass: 0, onlyJudge: 0, onlyReference: 0, neither: 0 };
  readonly #left: NotCompared = { noReference: 0, judgeError: 0, judgeSkipped: 0 };

  add(reference: Verdict, judged: Verdict): void {
    if (reference !== 'pass' && reference !== 'fail') this.#left.noReference++;
    else if (judged === 'error') this.#left.judgeError++;
    else if (judged === 'skipped') this.#left.judgeSkipped++;
    else this.#table[CELL[reference][judged]]++;
  }

  result(): Agreement {
    return agreementOf(this.#table, this.#left);
  }
}

const CELL = {
  pass: { pass: 'bothPass', fail: 'onlyReference' },
  fail: { pass: 'onlyJudge', fail: 'neither' },
} as const;

/**
 * @example
 * shareOf(8, 10).rate; // => 0.8
 * shareOf(0, 0).rate; // => null
 */
export function shareOf(count: number, of: number): Share {
  return { count, of, rate: of === 0 ? null : count / of, interval: wilsonInterval(count, of) };
}
