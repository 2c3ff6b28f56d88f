/** The numbers of agreement in words, the same at the command line and in all reports. */
import type { Agreement, Kappa, Share } from '../metrics/index.ts';

/** @example percentText(0.125) // => '12.5 %' */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function shareCount({ count, of, rate }: Share): string {
  return rate === null ? 'none to count' : `${percentText(rate)}, ${count} of ${of}`;
}

export function shareInterval({ rate, interval: { low, high } }: Share): string {
  return rate === null ? '–' : `${percentText(low)} – ${percentText(high)}`;
}

/** The number, or that there is none. */
export function kappaText({ value }: Pick<Kappa, 'value'>): string {
  return value === null ? 'not defined' : number(value);
}

export function kappaInterval({ interval }: Pick<Kappa, 'interval'>): string {
  return interval === null ? '–' : `${number(interval.low)} – ${number(interval.high)}`;
}

/** What is in no table, or an empty text. */
export function notComparedText({ noReference, judgeError, judgeSkipped }: Agreement['notCompared']): string {
  return [
    ...(judgeError > 0 ? [`${judgeError} ${judgeError === 1 ? 'error' : 'errors'}`] : []),
    ...(judgeSkipped > 0 ? [`${judgeSkipped} skipped`] : []),
    ...(noReference > 0 ? [`${noReference} undecided`] : []),
  ].join(', ');
}

/** Three places; a minus sign that is one, and no negative zero. */
function number(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}
