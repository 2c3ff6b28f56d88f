import { describe, expect, test } from 'vitest';
import { inline, refOf, useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

describe('read_page', () => {
  test('shows roles, names, values and states compactly, and leaves out what is not visible', async () => {
    await using tools = await embedded.open();
    await tools.goto(
      inline(`
      <h1>Shop</h1>
      <nav aria-label="Main"><a href="/a">Home</a> <a href="https://example.com/b" aria-current="page">Offers</a></nav>
      <p>Free <b>delivery</b> from <a href="#x">20 €</a> on.</p>
      <div style="display:none">Never seen</div><div style="visibility:hidden">Hidden <span style="visibility:visible">but this</span></div>
      <span aria-hidden="true">★</span>
      <button aria-expanded="false" disabled>More</button>
      <button aria-labelledby="l1 l2">x</button><span id="l1">Close</span> <i id="l2">window</i>
      <fieldset><legend>Size</legend><label><input type=radio name=s checked> Small</label><label><input type=radio name=s> Large</label></fieldset>
      <input placeholder="Search the shop" type=search value="tea">
      <img alt="A red kettle" src="data:,"><img alt="" src="data:,">
      <table><tr><th>Item</th><th>Price</th></tr><tr><td>Kettle</td><td>20</td></tr><tr><td>Pot</td><td><button>Buy pot</button></td></tr></table>
      <details><summary>Terms</summary>Small print</details>
      <div style="cursor:pointer" id=fake>Looks like a button</div>
      <ul><li>One</li><li>Two <a href="/two">more</a></li></ul>
      <div role=tablist><div role=tab aria-selected=true tabindex=0>First</div><div role=tab tabindex=-1>Second</div></div>
      <div role=slider tabindex=0 aria-valuenow=30 aria-label=Volume></div>`),
    );
    const text = await tools.ok('read_page');
    // Refs are numbered in the order in which lines are finished; what matters here is everything else.
    const [, ...lines] = text.replace(/\[a\d+\] /g, '').split('\n');
    expect(lines).toEqual([
      'heading 1: Shop',
      'navigation "Main"',
      ' link "Home" → /a',
      ' link "Offers" → https://example.com/b current',
      'Free delivery from',
      'link "20 €" → #x',
      'on.',
      'but this',
      'button "More" collapsed disabled',
      'button "Close window"',
      'Close window',
      'group "Size"',
      ' Size',
      ' radio "Small" checked',
      ' radio "Large"',
      'searchbox "Search the shop" = "tea"',
      'image "A red kettle"',
      'table',
      ' row: Item | Price',
      ' row: Kettle | 20',
      ' row',
      '  cell: Pot',
      '  cell: button "Buy pot"',
      'button "Terms" collapsed',
      'div "Looks like a button"',
      'list',
      ' - One',
      ' - Two',
      '  link "more" → /two',
      'tablist',
      ' tab "First" selected',
      ' tab "Second"',
      'slider "Volume" = 30',
    ]);
  });

  test('keeps to its budget, says what was cut, and goes on from there', async () => {
    await using tools = await embedded.open();
    await tools.goto('/nodes?n=5000');
    const first = await tools.ok('read_page');
    expect(first.length).toBeLessThan(8_300);
    const cut = /\((\d+) of (\d+) lines are not shown; to see more: offset (\d+), /.exec(first);
    expect(Number(cut?.[2])).toBeGreaterThan(1_000);
    const next = await tools.ok('read_page', { offset: Number(cut?.[3]), maxChars: 500 });
    const shown = first.split('\n').slice(1, -1);
    expect(
      next
        .split('\n')
        .slice(1, -1)
        .some((line) => shown.includes(line)),
    ).toBe(false);
    // The last line that there is can be reached.
    const end = await tools.ok('read_page', { offset: Number(cut?.[2]) - 1 });
    expect(end).not.toContain('not shown');
  });

  test('reads a part by ref or selector, and only what can be acted on', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    const page = await tools.ok('read_page');
    const part = await tools.ok('read_page', { ref_id: refOf(page, '] form') });
    expect(part).toContain('textbox "Email"');
    expect(part).not.toContain('Waymark fixtures');
    const plan = await tools.ok('read_page', { selector: '#plan' });
    expect(plan.split('\n')).toHaveLength(2);
    const interactive = await tools.ok('read_page', { filter: 'interactive' });
    expect(interactive).not.toContain('heading');
    expect(
      interactive
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('[')),
    ).toBe(true);
  });
});

describe('refs', () => {
  test('of a list that was rendered anew are stale, and say so at once', async () => {
    await using tools = await embedded.open();
    await tools.goto('/list');
    const page = await tools.ok('read_page');
    const rope = refOf(page, 'Delete Rope');
    await tools.ok('interact', { action: 'click', ref: refOf(page, 'Rename Map') });
    const said = await tools.call('interact', { action: 'click', ref: rope });
    expect(said.kind).toBe('stale_ref');
    expect(said.text).toBe(
      `The element [${rope}] is not on the page any more. Call read_page or find again and use the new ref.`,
    );
    const fresh = await tools.ok('read_page');
    await tools.ok('interact', { action: 'click', ref: refOf(fresh, 'Delete Rope') });
    expect(await tools.textOf('#result')).toBe('Deleted Rope.');
  });

  test('never mean something else after a navigation, nor in another tab', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    const old = refOf(await tools.ok('read_page'), 'button "Sign up"');
    await tools.goto('/list');
    await tools.ok('read_page');
    expect((await tools.call('interact', { action: 'click', ref: old })).kind).toBe('stale_ref');
    const first = tools.slot.witness.page?.targetId ?? '';
    const kept = refOf(await tools.ok('read_page'), 'Delete Map');
    await tools.ok('tabs_create', { url: `${embedded.lab.server.origin}/small` });
    const wrong = await tools.call('interact', {
      action: 'click',
      ref: kept,
      tabId: tools.slot.witness.page?.targetId,
    });
    expect(wrong.kind).toBe('bad_argument');
    // Without a tabId, the ref itself says where it belongs.
    await tools.ok('interact', { action: 'click', ref: kept });
    expect(tools.slot.witness.page?.targetId).toBe(first);
    expect(await tools.textOf('#result')).toBe('Deleted Map.');
  });

  test('a selector or a name finds the element of the moment in a list that is rendered all the time', async () => {
    await using tools = await embedded.open();
    await tools.goto('/list?auto=1');
    for (const item of ['Compass', 'Map', 'Rope']) {
      await tools.ok('interact', { action: 'click', role: 'button', name: `Delete ${item}` });
      expect(await tools.textOf('#result')).toBe(`Deleted ${item}.`);
    }
  });
});

describe('find', () => {
  test('puts the best first, with refs that work, within its limit', async () => {
    await using tools = await embedded.open();
    await tools.goto('/form');
    expect((await tools.ok('find', { query: 'email field' })).split('\n')[0]).toContain('textbox "Email"');
    expect((await tools.ok('find', { query: 'plan dropdown' })).split('\n')[0]).toContain('combobox "Plan"');
    const found = await tools.ok('find', { query: 'sign up button', limit: 2 });
    expect(found.split('\n')).toHaveLength(2);
    await tools.ok('interact', { action: 'click', ref: refOf(found, 'button "Sign up"') });
    expect(await tools.textOf('#name-error')).toBe('Enter your name.');
    expect(await tools.ok('find', { query: 'zebra' })).toBe(
      'Nothing on the page fits "zebra". Call read_page to see what is there.',
    );
  });

  test('takes a page of 5,000 elements', async () => {
    await using tools = await embedded.open();
    await tools.goto('/nodes?n=5000');
    const found = await tools.ok('find', { query: 'Save Juniper tent 429' });
    expect(found.split('\n')[0]).toMatch(/button "Save \w+ [\w ]+ 429"/);
  });
});

describe('locators', () => {
  test('by text prefer what can be clicked, and what says exactly that', async () => {
    await using tools = await embedded.open();
    // A heading and a button both say "Sign up".
    await tools.goto('/form');
    expect(await tools.ok('interact', { action: 'click', text: 'Sign up' })).toContain('button "Sign up"');
  });

  test('that fit several elements name them, and nth chooses', async () => {
    await using tools = await embedded.open();
    await tools.goto('/list');
    const said = await tools.call('interact', { action: 'click', role: 'button', name: 'Delete' });
    expect(said.kind).toBe('ambiguous');
    expect(said.text).toContain('4 elements fit: ');
    expect(said.text).toContain('button "Delete Compass"');
    await tools.ok('interact', { action: 'click', role: 'button', name: 'Delete', nth: 3 });
    expect(await tools.textOf('#result')).toBe('Deleted Rope.');
  });

  test('that fit nothing, or are none, are errors of their own kinds', async () => {
    await using tools = await embedded.open();
    await tools.goto('/small');
    const missing = await tools.call('interact', { action: 'click', selector: '#nothing', timeoutMs: 400 });
    expect([missing.kind, missing.text]).toEqual([
      'not_found',
      'There is no element "#nothing" on the page. Call read_page or find to see what is there, or wait_for if it is still to come.',
    ]);
    expect((await tools.call('interact', { action: 'click', selector: '#[' })).text).toContain(
      '"#[" is not a valid CSS selector.',
    );
    expect((await tools.call('interact', { action: 'click', ref: 'x' })).kind).toBe('bad_argument');
    expect((await tools.call('interact', { action: 'click', ref: 'q7' })).kind).toBe('stale_ref');
    expect((await tools.call('interact', { action: 'click' })).text).toContain('This needs an element.');
    expect((await tools.call('interact', { action: 'click', ref: 'a1', selector: '#bump' })).text).toContain(
      'named twice, by ref and selector',
    );
  });

  test('wait for an element that is still to come', async () => {
    await using tools = await embedded.open();
    await tools.goto(
      inline(
        `<script>setTimeout(() => { document.body.innerHTML = '<button onclick="this.textContent = 1">Late</button>'; }, 300)</script>`,
      ),
    );
    await tools.ok('interact', { action: 'click', text: 'Late' });
    expect(await tools.textOf('button')).toBe('1');
  });
});
