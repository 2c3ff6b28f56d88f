/** The letters right behind a number: a scale (`$1.5M`, `10k`), a unit (`5km`, `42nd`), or a word that the digits are part of (`5abc`). */

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  mm: 1e6,
  mn: 1e6,
  b: 1e9,
  bn: 1e9,
  t: 1e12,
  tn: 1e12,
};

/** After a currency sign, in any case and with a space. */
const MONEY_SCALE = /^ ?(k|mn|mm|m|bn|b|tn|t)(?![\p{L}\p{N}])/iu;
/** Without one, only attached, and only where it can't be a unit: 5m is five metres, 300 K a temperature. */
const SCALE = /^(k|K|M|mn|B|bn|tn)(?![\p{L}\p{N}])/u;
const UNIT =
  /^(?:st|nd|rd|th|x|[kcmnµμ]?m|km\/h|kmh|kph|mph|[kmµμ]?g|t|lbs?|oz|ft|in|inch|inches|mi|yds?|[mnµμ]?s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|d|days?|wks?|weeks?|yrs?|years?|[mc]?l|px|pt|r?em|bits?|bytes?|[kmgtp]?i?b(?:ps)?|[kmg]?hz|[kmg]?w|kwh|[km]?v|m?ah?|k?j|k?n|[km]?pa|bar|k?cal|mol|rpm|fps|dpi|db|[ap]m|c|f|ha|ac|pp|pct|usd|eur|gbp|jpy|chf|cad|aud|inr|cny|bce?|ce|ad|dollars?|euros?|pounds?|people|items?|times|points?|stars?|percent)(?![\p{L}\p{N}_])/iu;

export interface NumberSuffix {
  readonly scale: number;
  /** Characters that belong to the number. */
  readonly length: number;
}

const NONE: NumberSuffix = { scale: 1, length: 0 };

/** Undefined where the digits are part of a word. Only Latin letters make one: other scripts write without spaces. */
export function suffixOf(text: string, at: number, isMoney: boolean): NumberSuffix | undefined {
  const rest = text.slice(at, at + 16);
  const scale = (isMoney ? MONEY_SCALE : SCALE).exec(rest);
  if (scale?.[1] !== undefined) return { scale: SCALES[scale[1].toLowerCase()] ?? 1, length: scale[0].length };
  return /^[A-Za-zµμ_]/.test(rest) && !UNIT.test(rest) ? undefined : NONE;
}
