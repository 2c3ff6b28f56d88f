import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inline, refOf, useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

describe('the form', () => {
  test('is filled in by refs and sent, and the result of the click already names the next page', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    const page = await tools.ok('read_page');
    await tools.ok('form_input', { ref: refOf(page, 'textbox "Name"'), value: 'Ada' });
    await tools.ok('interact', { action: 'type', ref: refOf(page, 'textbox "Email"'), value: 'ada@example.com' });
    await tools.ok('interact', { action: 'select', ref: refOf(page, 'combobox "Plan"'), value: 'Premium' });
    await tools.ok('form_input', { ref: refOf(page, 'checkbox'), value: true });
    const clicked = await tools.ok('interact', { action: 'click', ref: refOf(page, 'button "Sign up"') });
    expect(clicked).toBe(
      `Clicked [${refOf(page, 'button "Sign up"')}] button "Sign up". The page is now http://fixtures.waymark.test/form/done?name=Ada&email=ada%40example.com&plan=premium.`,
    );
    // At once, without waiting: the rule of navigation promises it.
    expect(await tools.ok('read_page')).toContain('status: Thank you, Ada.');
    expect(await tools.textOf('#done-plan')).toBe('Premium');
  });

  test('shows values and states when it is read again, and refs stay the same', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    const before = await tools.ok('read_page');
    await tools.ok('form_input', { selector: '#name', value: 'Grace' });
    await tools.ok('form_input', { text: 'I accept the terms', value: true });
    await tools.ok('interact', { action: 'click', role: 'button', name: 'Sign up' });
    const after = await tools.ok('read_page');
    const name = refOf(before, 'textbox "Name"');
    expect(after).toContain(`[${name}] textbox "Name" = "Grace"`);
    expect(after).toContain('checkbox "I accept the terms" checked');
    expect(after).toMatch(/textbox "Email".* invalid focused/);
    expect(after).toContain('Enter an email address with an @.');
  });

  test('takes a value in place of the old one, adds to it, or empties the field', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    expect(await tools.ok('interact', { action: 'type', selector: '#name', value: 'Ada' })).toMatch(
      /= "Ada" focused\.$/,
    );
    expect(
      await tools.ok('interact', { action: 'type', selector: '#name', value: ' Lovelace', append: true }),
    ).toContain('= "Ada Lovelace"');
    expect(await tools.ok('interact', { action: 'type', selector: '#name', value: 'Bo', slowly: true })).toContain(
      '= "Bo"',
    );
    expect(await tools.ok('form_input', { selector: '#name', value: '' })).toMatch(/textbox "Name" focused\.$/);
  });

  test('sends itself when Enter is pressed at the end of typing', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    await tools.ok('form_input', { selector: '#plan', value: 'basic' });
    await tools.ok('form_input', { selector: '#terms', value: true });
    await tools.ok('form_input', { selector: '#name', value: 'Ada' });
    const said = await tools.ok('interact', { action: 'type', selector: '#email', value: 'a@b', submit: true });
    expect(said).toContain('The page is now http://fixtures.waymark.test/form/done');
  });

  test('leaves a check box that is right already alone, and unchecks it', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    await tools.evaluate(
      `globalThis.clicks = 0; document.querySelector('#terms').addEventListener('click', () => { clicks++; })`,
    );
    await tools.ok('form_input', { selector: '#terms', value: true });
    await tools.ok('form_input', { selector: '#terms', value: true });
    expect(await tools.evaluate('clicks')).toBe(1);
    await tools.ok('form_input', { selector: '#terms', value: false });
    expect(await tools.evaluate(`document.querySelector('#terms').checked`)).toBe(false);
  });

  test('says which options there are when a wrong one is asked for', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    const said = await tools.call('interact', { action: 'select', selector: '#plan', value: 'Gold' });
    expect(said.kind).toBe('bad_argument');
    expect(said.text).toBe(
      'combobox "Plan" has no option "Gold"; it has "Choose…", "Basic", "Standard", "Premium". Correct the arguments and call again.',
    );
  });
});

test('the wizard is gone through by role, name and text, with a navigation at each step', async () => {
  await using tools = await embedded.open();
  await tools.goto('/wizard');
  await tools.ok('form_input', { selector: '#traveller', value: 'Ada' });
  await tools.ok('interact', { action: 'click', selector: '#next' });
  await tools.ok('form_input', { role: 'combobox', name: 'From', value: 'Berlin' });
  await tools.ok('interact', { action: 'select', role: 'combobox', name: 'To', exact: true, value: 'Lisbon' });
  await tools.ok('form_input', { selector: '#class-first', value: true });
  await tools.ok('interact', { action: 'click', selector: '#next' });
  await tools.ok('form_input', { selector: '#extra-meal', value: true });
  await tools.ok('interact', { action: 'click', selector: '#next' });
  const said = await tools.ok('interact', { action: 'click', selector: '#next' });
  expect(said).toContain('/wizard/done?');
  expect(await tools.ok('read_page')).toContain('status: Booked: Ada, Berlin to Lisbon');
  expect(await tools.ok('navigate', { url: 'back' })).toMatch(/The page is now .*\/wizard/);
});

describe('other controls', () => {
  test('several options, rich text, a date, a colour, a slider', async () => {
    await using tools = await embedded.open();
    await tools.goto('/keys');
    await tools.ok('interact', { action: 'select', selector: '#colours', value: ['Red', 'Blue'] });
    expect(await tools.textOf('#result')).toBe('Colours: Red, Blue');
    await tools.ok('form_input', { selector: '#editor', value: 'New words' });
    expect(await tools.textOf('#result')).toBe('Rich text: New words');
    await tools.ok('interact', { action: 'type', selector: '#editor', value: ' and more', append: true });
    expect(await tools.textOf('#editor')).toBe('New words and more');

    await tools.goto(
      inline('<input type=date id=d><input type=color id=c><input type=range id=r max=100><input type=number id=n>'),
    );
    await tools.evaluate(
      `globalThis.log = []; document.addEventListener('change', (event) => log.push(event.target.id + ' ' + event.target.value))`,
    );
    await tools.ok('form_input', { selector: '#d', value: '2026-03-01' });
    await tools.ok('form_input', { selector: '#c', value: '#ff8800' });
    await tools.ok('form_input', { selector: '#r', value: 70 });
    await tools.ok('form_input', { selector: '#n', value: 42 });
    expect(await tools.evaluate('log')).toEqual(['d 2026-03-01', 'c #ff8800', 'r 70']);
    expect(await tools.evaluate(`document.querySelector('#n').value`)).toBe('42');
    expect((await tools.call('form_input', { selector: '#d', value: 'tomorrow' })).kind).toBe('bad_argument');
  });

  test('a check box behind its label, and a read-only field', async () => {
    await using tools = await embedded.open();
    await tools.goto(
      inline(
        '<style>input[type=checkbox]{display:none}</style><label><input type=checkbox id=box> Subscribe</label><input id=fixed readonly value=x aria-label=Fixed>',
      ),
    );
    const page = await tools.ok('read_page');
    await tools.ok('interact', { action: 'click', ref: refOf(page, 'checkbox "Subscribe"') });
    expect(await tools.evaluate(`document.querySelector('#box').checked`)).toBe(true);
    const said = await tools.call('form_input', { selector: '#fixed', value: 'y', timeoutMs: 400 });
    expect([said.kind, said.text]).toEqual([
      'disabled',
      'textbox "Fixed" is read-only. Do first what enables it, then try again.',
    ]);
  });

  test('the value of a password field is not shown', async () => {
    await using tools = await embedded.open();
    await tools.goto(inline('<label>Password <input type=password id=p></label>'));
    expect(await tools.ok('form_input', { selector: '#p', value: 'hunter2' })).toContain(
      'textbox "Password" = (filled)',
    );
    expect(await tools.ok('read_page')).not.toContain('hunter2');
  });
});

describe('typing', () => {
  test('gives the focus without a click, and writes at the end of every kind of field', async () => {
    await using tools = await embedded.open();
    await tools.goto('/input');
    const type = (selector: string, value: string, append?: boolean) =>
      tools.ok('interact', { action: 'type', selector, value, append });
    expect(await type('#email', '.org', true)).toContain('= "ada@example.org" focused');
    expect(await type('#number', '3', true)).toContain('= "123"');
    expect(await type('#number', '-4.5')).toContain('= "-4.5"');
    expect(await type('#name', ' Hopper', true)).toContain('= "Grace Hopper"');
    expect(await tools.textOf('#clicks')).toBe('0');
  });

  test('fails where the field took nothing, and says so where the page took the text away', async () => {
    await using tools = await embedded.open();
    await tools.goto('/input');
    const type = (selector: string, value: string, more = {}) =>
      tools.call('interact', { action: 'type', selector, value, ...more });
    expect(await type('#number', 'abc')).toMatchObject({
      kind: 'refused',
      text: expect.stringMatching(/^\[\w+\] spinbutton "Number".* did not take "abc"\. It may allow other values only/),
    });
    expect(await type('#capitals', 'xy')).toMatchObject({ kind: 'refused' });
    expect(await type('#capitals', 'xy', { slowly: true, append: true })).toMatchObject({ kind: 'refused' });
    expect(await type('#capitals', 'AB')).toMatchObject({ isError: false });
    expect(await type('#capitals', '')).toMatchObject({ isError: false });
    expect(await type('#capitals', '')).toMatchObject({ isError: false });

    await tools.goto(
      inline(`<textarea id=chat aria-label=Chat oninput="out.textContent += value; value = ''"></textarea><p id=out></p>
        <textarea id=shell aria-label=Shell onkeydown="out.textContent += event.key; event.preventDefault()"></textarea>
        <label><input type=checkbox id=fixed onclick="return false"> Fixed</label>
        <div id=late role=switch aria-checked=false aria-label=Late tabindex=0 onclick="requestAnimationFrame(() => this.ariaChecked = 'true')">Late</div>`),
    );
    expect(await type('#chat', 'hi')).toMatchObject({
      isError: false,
      text: expect.stringContaining('The page emptied the field again.'),
    });
    expect(await type('#shell', 'ls', { slowly: true })).toMatchObject({
      isError: false,
      text: expect.stringContaining('The page itself acted on the keys, and the field did not change.'),
    });
    expect(await tools.textOf('#out')).toBe('hils');
    expect(await tools.call('form_input', { selector: '#fixed', value: true })).toMatchObject({
      kind: 'refused',
      text: expect.stringContaining('checkbox "Fixed" focused did not become checked.'),
    });
    expect(await tools.ok('form_input', { selector: '#late', value: true })).toContain('switch "Late" checked');
  });

  test('without an element goes where the focus is: frames, shadow roots, what is no field, the page itself', async () => {
    await using tools = await embedded.open();
    const type = (value: string, more = {}) => tools.ok('interact', { action: 'type', value, ...more });
    await tools.goto('/input');
    expect(await type('ls é', { submit: true })).toBe('Typed into the page, key by key: nothing has the focus.');
    // The character without a key is inserted, and a page without a field has no place for it.
    expect(await tools.textOf('#screen')).toBe('ls ⏎');

    await tools.goto('/frames');
    for (const [frame, text] of [
      ['same-origin', 'one'],
      ['cross-site', 'two'],
    ] as const) {
      await tools.ok('interact', { action: 'click', selector: `#frame-${frame} >>> #frame-field` });
      expect(await type('wrong')).toContain('= "wrong" focused');
      expect(await type(text)).toContain(`= "${text}" focused`);
      await tools.ok('interact', { action: 'click', selector: `#frame-${frame} >>> #frame-button` });
      await tools.ok('wait_for', { text: `The ${frame} frame sent: ${text}` });
    }

    await tools.goto('/shadow');
    await tools.ok('interact', { action: 'click', selector: '#outer >>> #inner >>> #deep-field' });
    await type('abc');
    await type('d', { append: true });
    await tools.ok('interact', { action: 'click', selector: '#outer >>> #inner >>> #deep-button' });
    expect(await tools.textOf('#result')).toBe('Deep button pressed with: abcd');

    await tools.goto(
      inline(`<canvas id=c tabindex=0 aria-label=Drawing onkeydown="out.textContent += event.key"></canvas><p id=out></p>
        <textarea id=tiny style="width:0;height:0;padding:0;border:0" aria-label=Terminal></textarea>`),
    );
    await tools.ok('interact', { action: 'press', key: 'F2', selector: '#c' });
    expect(await type('line')).toMatch(
      /^Typed into \[\w+\] canvas "Drawing".*, key by key, because it is not a field\.$/,
    );
    expect(await tools.textOf('#out')).toBe('F2line');
    await tools.evaluate(`document.querySelector('#tiny').focus()`);
    await type('keys');
    expect(await tools.evaluate(`document.querySelector('#tiny').value`)).toBe('keys');
  });
});

describe('uploads', () => {
  test('give one file and several, and say when there is none', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'waymark-upload-'));
    try {
      await writeFile(path.join(folder, 'a.txt'), 'hello');
      await writeFile(path.join(folder, 'b.txt'), 'hello again');
      await using tools = await embedded.open();
      await tools.goto('/upload');
      expect(await tools.ok('form_input', { selector: '#file', value: path.join(folder, 'a.txt') })).toContain(
        'file "One file" = "a.txt"',
      );
      expect(await tools.textOf('#result')).toBe('Chosen: a.txt, 5 bytes');
      const both = ['a.txt', 'b.txt'].map((name) => path.join(folder, name));
      await tools.ok('form_input', { selector: '#files', value: both });
      expect(await tools.textOf('#result')).toBe('Chosen: a.txt, 5 bytes; b.txt, 11 bytes');
      const missing = await tools.call('form_input', { selector: '#file', value: path.join(folder, 'none.txt') });
      expect(missing.kind).toBe('bad_argument');

      const clicked = await tools.call('interact', { action: 'click', selector: '#file' });
      expect(clicked.text).toContain('file "One file" takes files: use form_input with their paths.');

      await using confined = await embedded.open({ filesFolder: folder });
      await confined.goto('/upload');
      await confined.ok('form_input', { selector: '#file', value: 'b.txt' });
      expect(await confined.textOf('#result')).toBe('Chosen: b.txt, 11 bytes');
      expect((await confined.call('form_input', { selector: '#file', value: '../../etc/hostname' })).kind).toBe(
        'bad_argument',
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
