/** Finds words that go out of date, and subjects that public tasks avoid: accounts, payments, captchas. */

import type { LoadedTask } from '../../cases/index.ts';
import type { Contract } from '../../contracts/index.ts';
import type { Found, Rule } from './finding.ts';
import { isLive } from './hosts.ts';

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DATES = new RegExp(
  `\\b(?:(?:19|20)\\d{2}-\\d{1,2}-\\d{1,2}|\\d{1,2}[./]\\d{1,2}[./](?:19|20)?\\d{2}|${MONTH}\\.? \\d{1,2}(?:st|nd|rd|th)?\\b|\\d{1,2}\\.? ${MONTH}|(?:19|20)\\d{2})\\b`,
  'i',
);
const MOVING =
  /\b(today|tomorrow|yesterday|tonight|this (?:week|month|year)|latest|newest|current(?:ly)?|breaking|news|live price|stock price|weather)\b/i;
const AVOIDED: readonly (readonly [what: string, words: RegExp])[] = [
  ['an account', /\b(log[- ]?in|sign[- ]?in|log into|sign into|signin|password|passcode|two-factor|2fa)\b/i],
  ['a payment', /\b(pay|payment|credit card|debit card|iban|purchase|buy now|place (?:the|an) order)\b/i],
  ['a captcha', /\b(captcha|recaptcha|hcaptcha|turnstile)\b/i],
];
const PLACEHOLDER = /\bTODO\b/;

export const textRules: Rule = (loaded) => [
  ...textsOf(loaded).flatMap(({ path, text, isContract }): Found[] => [
    ...dateIn(path, text),
    ...(PLACEHOLDER.test(text) ? [found('placeholder', path, 'Contains TODO: this text is not written yet.')] : []),
    ...(isContract || !isLive(loaded) ? [] : movingIn(path, text)),
  ]),
  ...(['goal', 'startUrl'] as const).flatMap((field) => avoidedIn(`$.${field}`, loaded.task[field])),
];

function dateIn(path: string, text: string): Found[] {
  const [words] = DATES.exec(text) ?? [];
  if (words === undefined) return [];
  return [found('literal_date', path, `Names a date, “${words}”: the page may show another one later.`)];
}

function movingIn(path: string, text: string): Found[] {
  const [words] = MOVING.exec(text) ?? [];
  if (words === undefined) return [];
  return [
    found(
      'moving_target',
      path,
      `“${words}” means something else every day; on a live site the task is not repeatable.`,
    ),
  ];
}

/** In a URL, separators become spaces, so that `/sign_in` matches too. */
function avoidedIn(path: string, text: string): Found[] {
  const said = path === '$.startUrl' ? text.replace(/[/_?=&#.]+/g, ' ') : text;
  return AVOIDED.flatMap(([what, pattern]) => {
    const [words] = pattern.exec(said) ?? [];
    if (words === undefined) return [];
    return [found('avoided_subject', path, `“${words}” needs ${what}; public tasks avoid that.`)];
  });
}

function found(rule: Found['rule'], path: string, message: string): Found {
  return { rule, path, message };
}

interface Text {
  path: string;
  text: string;
  isContract: boolean;
}

function textsOf({ task }: LoadedTask): Text[] {
  const own = (['title', 'goal', 'startUrl'] as const).map((field) => ({
    path: `$.${field}`,
    text: task[field],
    isContract: false,
  }));
  return [...own, ...contractTexts(task.success, '$.success')];
}

function contractTexts(contract: Contract, path: string): Text[] {
  if (contract.kind === 'not') return contractTexts(contract.child, `${path}.child`);
  if (contract.kind === 'and' || contract.kind === 'or')
    return contract.children.flatMap((child, index) => contractTexts(child, `${path}.children.${index}`));
  return Object.entries(contract).flatMap(([field, value]) =>
    typeof value === 'string' && field !== 'kind' ? [{ path: `${path}.${field}`, text: value, isContract: true }] : [],
  );
}
