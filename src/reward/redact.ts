/**
 * Removes secrets from a call's arguments: by field name, by the shape of a value, and by value where it is known.
 * The ledger is for people and for ranking recoveries; neither needs the typed text, only that something was typed.
 */

export interface RedactOptions {
  /** Values known to be secret (the task's secrets). They are removed everywhere. */
  secrets?: readonly string[] | undefined;
}

/** The longest text that is searched, the longest value, the most fields and the deepest nesting that are shown. */
const REDACT_LIMITS = { scan: 8192, value: 80, fields: 16, depth: 3 } as const;

/** Names whose values are secret, whatever they look like. Matched after removing case, `-`, `_` and spaces from the name. */
const SECRET_NAMES =
  /pass(wd|phrase|code)?$|^pwd|passw|secret|token|apikey|accesskey|privatekey|signingkey|encryptionkey|auth(?!or(?!iz))|bearer|cookie|session|credential|jwt|signature|^sig$|^card|cardn|creditcard|cvv|cvc|iban|^pin$|pincode|^otp|otp$|^ssn|ssn$|csrf|xsrf|headers/;

/** Names whose values are typed text or code: free text may hold a password, so only its length is kept. */
const TYPED_NAMES =
  /^(text|value|values|content|input|inputs|fields|formdata|form|body|data|payload|script|code|expression|function|html|keys|answer|message|prompt)$/;

/** Shapes of secrets. Each pattern is linear: it has no nested or adjacent open repetitions over the same characters. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{0,40}-----[^-]*(?:-----END [A-Z ]{0,40}-----)?/g, '[key]'],
  [/\beyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,4}/g, '[jwt]'],
  [/\b(?:bearer|basic|digest|negotiate)\s+[^\s,;"']+/gi, '[authorization]'],
  [/\b(?:set-)?cookie\s*:[^\r\n]*/gi, '[cookie]'],
  [/\bauthorization\s*:[^\r\n]*/gi, '[authorization]'],
  [
    /\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|glpat|xox[a-z]|npm|hf|dop_v1|shpat|whsec|github_pat|ya29)[-_.][A-Za-z0-9_.-]{8,}/g,
    '[token]',
  ],
  [/\b(?:AKIA|ASIA|AIza|EAAC|SG\.)[A-Za-z0-9_.-]{8,}/g, '[token]'],
  [/:\/\/[^\s/?#]{1,256}@/g, '://[credentials]@'],
  [/[^\s@<>()[\],;:"'=&?/\\]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g, '[email]'],
];

/** A name before `=` or `:`, in text, URLs, JSON and cookie strings; and the value after one that is secret. */
const NAMED = /([A-Za-z0-9_.-]{1,64})["']?\s{0,3}(?:=|:|%3D|%3A)\s{0,3}/gi;
const NAMED_VALUE = /"[^"]*"?|'[^']*'?|(?:(?!%26)[^\s&"'])+/iy;
const NAMED_KEY =
  /^(?:(?:Control|Shift|Alt|Meta)\+){0,4}(?:Enter|Tab|Escape|Backspace|Delete|Space|Arrow(?:Up|Down|Left|Right)|Home|End|PageUp|PageDown|F\d{1,2})$/;
const CARD = /\b\d(?:[ -]?\d){12,18}\b/g;
/** Long and mixed: session ids, hashes, keys without a known prefix. Words and plain numbers are kept. */
const OPAQUE = /[A-Za-z0-9+/_=-]{24,}/g;

/**
 * One text without secrets, cut to a bounded length.
 *
 * @example
 * redactText('https://shop.test/?page=2&token=abc'); // => 'https://shop.test/?page=2&token=[redacted]'
 */
export function redactText(text: string, options: RedactOptions = {}): string {
  // Cutting first could split a secret, and half a secret matches no shape.
  if (text.length > REDACT_LIMITS.scan) return `[${text.length} characters]`;
  let clean = text;
  for (const secret of options.secrets ?? []) {
    if (secret === '') continue;
    clean = clean.replaceAll(secret, '[secret]');
    if (secret.isWellFormed()) clean = clean.replaceAll(encodeURIComponent(secret), '[secret]');
  }
  for (const [shape, label] of SHAPES) clean = clean.replace(shape, label);
  clean = redactNamed(clean);
  clean = clean.replace(CARD, (digits) => (luhn(digits) ? '[card]' : digits));
  clean = clean.replace(OPAQUE, (run) => (isOpaque(run) ? '[opaque]' : run));
  return clean.length > REDACT_LIMITS.value ? `${clean.slice(0, REDACT_LIMITS.value)}…` : clean;
}

/**
 * A call's arguments as one readable line, without secrets and without typed text.
 *
 * @example
 * summarizeArguments({ action: 'type', ref: 'e4', text: 'hunter2' }); // => 'action=type ref=e4 text=[7 characters]'
 */
export function summarizeArguments(args: unknown, options: RedactOptions = {}): string {
  if (args === undefined || args === null) return '';
  if (typeof args !== 'object' || Array.isArray(args)) return show(args, options, 0);
  return fieldsOf(args, options, 0).join(' ');
}

function fieldsOf(value: object, options: RedactOptions, depth: number): string[] {
  const names = Object.keys(value);
  const fields = names.slice(0, REDACT_LIMITS.fields).map((name) => {
    const inner: unknown = Reflect.get(value, name);
    const label = redactText(name, options);
    if (isSecretName(name)) return `${label}=[redacted]`;
    if (plain(name) === 'key') return `${label}=${showKey(inner)}`;
    if (TYPED_NAMES.test(plain(name))) return `${label}=${sizeOf(inner)}`;
    return `${label}=${show(inner, options, depth + 1)}`;
  });
  if (names.length > fields.length) fields.push(`+${names.length - fields.length} more`);
  return fields;
}

function show(value: unknown, options: RedactOptions, depth: number): string {
  if (typeof value === 'string') return redactText(value, options);
  if (typeof value !== 'object' || value === null) return redactText(String(value), options);
  if (depth >= REDACT_LIMITS.depth) return Array.isArray(value) ? '[list]' : '{object}';
  if (!Array.isArray(value)) return `{${fieldsOf(value, options, depth).join(' ')}}`;
  const items = value.slice(0, REDACT_LIMITS.fields).map((item) => show(item, options, depth + 1));
  if (value.length > items.length) items.push(`+${value.length - items.length} more`);
  return `[${items.join(' ')}]`;
}

/** A name that is not secret may be followed by one that is (`x:token=…`), so the search continues directly after it. */
function redactNamed(text: string): string {
  let clean = '';
  let from = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    if (!isSecretName(match[1] ?? '')) continue;
    NAMED_VALUE.lastIndex = NAMED.lastIndex;
    const value = NAMED_VALUE.exec(text)?.[0] ?? '';
    // Labels of an earlier pass are kept, because they are more specific.
    clean += text.slice(from, NAMED.lastIndex) + (/^\[[a-z]+\]$/.test(value) ? value : '[redacted]');
    NAMED.lastIndex += value.length;
    from = NAMED.lastIndex;
  }
  return clean + text.slice(from);
}

/** A named key describes an action; single characters in successive calls would spell out the typed text. */
function showKey(value: unknown): string {
  return typeof value === 'string' && NAMED_KEY.test(value) ? value : sizeOf(value);
}

function sizeOf(value: unknown): string {
  if (typeof value === 'string') return `[${value.length} characters]`;
  return Array.isArray(value) ? `[${value.length} items]` : `[${typeof value}]`;
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(plain(name));
}

function plain(name: string): string {
  return name
    .slice(0, 128)
    .toLowerCase()
    .replace(/[-_\s.]/g, '');
}

/** Paths are tested by segment; otherwise every long URL would look like one opaque value. */
function isOpaque(run: string): boolean {
  return run.split('/').some((segment) => segment.length >= 16 && isMixed(segment));
}

/** Letters and digits mixed, or both cases without a word break. `list-of-all-blog-articles` is not mixed. */
function isMixed(segment: string): boolean {
  const digits = segment.replace(/\D/g, '').length;
  const letters = segment.replace(/[^A-Za-z]/g, '').length;
  return (digits >= 3 && letters >= 3) || (/[a-z][A-Z]/.test(segment) && /[A-Z]{2}/.test(segment));
}

function luhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
