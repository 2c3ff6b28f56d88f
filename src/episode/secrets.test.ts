import { describe, expect, test } from 'vitest';
import { parseTask } from '../cases/index.ts';
import { secretForms } from './secret-forms.ts';
import { readSecrets, Secrets } from './secrets.ts';

const VALUE = `p&ss "wörd" <1>'s/4+2`;
const secrets = new Secrets({ SHOP_PASSWORD: VALUE, PIN_CODE: '4711' });

function taskWith(changes: object) {
  const parsed = parseTask({
    id: 'sign-in',
    title: 'Sign in',
    startUrl: 'https://shop.test/',
    goal: 'Sign in.',
    success: { kind: 'dom_text', contains: 'Welcome' },
    ...changes,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.task;
}

describe('where the values come from', () => {
  const task = taskWith({ secrets: ['SHOP_PASSWORD', 'PIN_CODE'] });

  test('the environment, and only what the task names', () => {
    expect(readSecrets(task, { SHOP_PASSWORD: 'hunter22', PIN_CODE: '4711', HOME: '/root' })).toEqual({
      SHOP_PASSWORD: 'hunter22',
      PIN_CODE: '4711',
    });
    expect(readSecrets(taskWith({}), { HOME: '/root' })).toEqual({});
  });

  test.each<[string, object, Record<string, string>, string]>([
    ['one that is not set', {}, { PIN_CODE: '4711' }, 'usage_missing_secret'],
    ['one that is empty', {}, { PIN_CODE: '4711', SHOP_PASSWORD: '' }, 'usage_missing_secret'],
    ['one that is too short', {}, { PIN_CODE: '471', SHOP_PASSWORD: 'hunter22' }, 'usage_short_secret'],
    [
      'one that stands in the task',
      { goal: 'Sign in with "hunter22".' },
      { PIN_CODE: '4711', SHOP_PASSWORD: '"hunter22"' },
      'usage_secret_in_task',
    ],
  ])('%s is refused', (_, changes, environment, code) => {
    const named = taskWith({ secrets: ['SHOP_PASSWORD', 'PIN_CODE'], ...changes });
    expect(() => readSecrets(named, environment)).toThrow(expect.objectContaining({ code }));
  });

  test('the refusal says what to do, and not the value', () => {
    expect(() => readSecrets(task, {})).toThrow(
      'The task "sign-in" needs the environment variables SHOP_PASSWORD, PIN_CODE; nothing was run.',
    );
  });
});

describe('into calls', () => {
  test('placeholders become values, wherever they stand', () => {
    expect(
      secrets.resolve({ text: '{{secret:SHOP_PASSWORD}}', list: [{ value: 'pin {{secret:PIN_CODE}}!' }], n: 1 }),
    ).toEqual({ text: VALUE, list: [{ value: 'pin 4711!' }], n: 1 });
  });

  test('inside a program, as a part of its string', () => {
    const { code } = secrets.resolve({ code: 'field.value = "{{secret:SHOP_PASSWORD}}"' });
    const field = { value: '' };
    new Function('field', String(code))(field);
    expect(field.value).toBe(VALUE);
  });

  test('a name that the task has not is told, and stays what it is', () => {
    const args = { text: '{{secret:PIN_CODE}} {{secret:ROOT}} {{secret:toString}}' };
    expect(secrets.unknownIn(args)).toEqual(['ROOT', 'toString']);
    expect(secrets.resolve(args)).toEqual({ text: '4711 {{secret:ROOT}} {{secret:toString}}' });
  });
});

describe('out of everything else', () => {
  test.each(secretForms(VALUE))('as %s', (form) => {
    expect(secrets.text(`before ${form} after`)).toBe('before {{secret:SHOP_PASSWORD}} after');
    expect(secrets.text(form.toUpperCase())).toBe('{{secret:SHOP_PASSWORD}}');
  });

  test('there are forms for addresses, forms, JSON, HTML and headers', () => {
    expect(secretForms('a b&"')).toEqual(
      expect.arrayContaining(['a b&"', 'a b&\\"', 'a b&amp;&quot;', 'a%20b%26%22', 'a+b%26%22', 'YSBiJiI=']),
    );
  });

  test('in fields, names of fields and lists, and the rest is left alone', () => {
    expect(secrets.redact({ [`a ${VALUE}`]: [VALUE, 1, null, { deep: '4711' }], same: true })).toEqual({
      'a {{secret:SHOP_PASSWORD}}': ['{{secret:SHOP_PASSWORD}}', 1, null, { deep: '{{secret:PIN_CODE}}' }],
      same: true,
    });
  });

  test('twice is as once, also where a value is a part of a placeholder', () => {
    const odd = new Secrets({ NAME: 'secret', OTHER: 'OTHER' });
    const once = odd.text('a secret, and OTHER');
    expect(once).toBe('a {{secret:NAME}}, and {{secret:OTHER}}');
    expect(odd.text(once)).toBe(once);
  });

  test('a secret that begins another one does not leave its end', () => {
    const two = new Secrets({ SHORT: 'hunter', LONG: 'hunter22' });
    expect(two.text('hunter22 hunter')).toBe('{{secret:LONG}} {{secret:SHORT}}');
  });

  test('the beginning of one, at the end of a text that was cut', () => {
    const one = new Secrets({ KEY: 'correct horse battery' });
    const filler = 'x'.repeat(2000);
    expect(one.text(`${filler} correct hor`)).toBe(`${filler} {{secret:KEY}}`);
    expect(one.text(`${filler} correct hor… (4400 characters)`)).toBe(`${filler} {{secret:KEY}}… (4400 characters)`);
    expect(one.text('correct')).toBe('correct');
  });

  test('without secrets, everything is what it was', () => {
    const none = new Secrets();
    const value = { text: VALUE };
    expect(none.redact(value)).toBe(value);
    expect(none.resolve(value)).toBe(value);
  });
});

test('hidden values are taken out, and no call can name them', () => {
  const hidden = new Secrets({ PIN_CODE: '4711' }, { MODEL_KEY: 'sk-0123456789' });
  expect(hidden.text('4711 and sk-0123456789')).toBe('{{secret:PIN_CODE}} and {{secret:MODEL_KEY}}');
  expect(hidden.unknownIn({ text: '{{secret:MODEL_KEY}}' })).toEqual(['MODEL_KEY']);
  expect(hidden.resolve({ text: '{{secret:MODEL_KEY}}' })).toEqual({ text: '{{secret:MODEL_KEY}}' });
});
