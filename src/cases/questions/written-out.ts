/** Text in which numbers are written in ASCII. Unicode's NFKC would turn 10⁵ into 105 and 1½ into 11⁄2, so these forms are handled here. */

const VULGAR: Readonly<Record<string, string>> = {
  '½': '1/2',
  '⅓': '1/3',
  '⅔': '2/3',
  '¼': '1/4',
  '¾': '3/4',
  '⅕': '1/5',
  '⅖': '2/5',
  '⅗': '3/5',
  '⅘': '4/5',
  '⅙': '1/6',
  '⅚': '5/6',
  '⅐': '1/7',
  '⅛': '1/8',
  '⅜': '3/8',
  '⅝': '5/8',
  '⅞': '7/8',
  '⅑': '1/9',
  '⅒': '1/10',
};
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** It may be longer than the text, so positions refer to this form. Applied to its own result, it changes nothing. */
export function writtenOut(text: string): string {
  return withoutTex(text)
    .replace(/[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (run, at: number, whole: string) =>
      isPower(whole, at) ? `^${[...run].map(superscript).join('')}` : '',
    )
    .replace(/[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒]/g, (char, at: number, whole: string) => afterDigit(VULGAR[char] ?? '', at, whole))
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 48))
    .replace(/[−‒–‐‑﹣－](?=[$€£¥]?[\d.])/g, '-')
    .replace(/[\u00a0\u2007-\u200a\u202f\u3000]/g, ' ')
    .replace(/⁄/g, '/')
    .replace(/％/g, '%')
    .replace(/(?<=\d)’(?=\d{3})/g, "'");
}

function withoutTex(text: string): string {
  if (!text.includes('\\') && !text.includes('{')) return text;
  return text
    .replace(/\\[dt]?frac\{(\d{1,15})\}\{(\d{1,15})\}/g, (_, top: string, under: string, at: number, whole: string) =>
      afterDigit(`${top}/${under}`, at, whole),
    )
    .replace(
      /\\(?:text|textbf|textrm|textit|mathbf|mathrm|mathit|mathsf)\{([^{}\n]{0,200})\}/g,
      (_, inner: string, at: number, whole: string) => afterDigit(inner, at, whole),
    )
    .replace(/\\times|\\cdot/g, '×')
    .replace(/\\([%$])/g, '$1')
    .replace(/\{,\}/g, ',')
    .replace(/\\!/g, '')
    .replace(/\\[,;: ()[\]]|(?<=\d)~(?=\d)/g, ' ');
}

/** A space keeps it apart from the digits before it: 1½ is 1 1/2. */
function afterDigit(written: string, at: number, whole: string): string {
  return /\d/.test(whole.charAt(at - 1)) ? ` ${written}` : written;
}

/** 10⁵ and m² are powers. After punctuation, a space or a number with thousands (8,336,817²) it is the mark of a footnote. */
function isPower(whole: string, at: number): boolean {
  if (!/[\p{L}\p{N})\]}]/u.test(whole.charAt(at - 1))) return false;
  return !/\d[,.]\d{3}$/.test(whole.slice(Math.max(0, at - 5), at));
}

function superscript(char: string): string {
  if (char === '⁻') return '-';
  if (char === '⁺') return '';
  return String(SUPERSCRIPTS.indexOf(char));
}
