import { describe, expect, test } from 'vitest';
import { inline, refOf, useEmbeddedServer } from './embedded.ts';

const embedded = useEmbeddedServer();

describe('clicks', () => {
  test('with every button, twice, with keys held, and beside the middle', async () => {
    await using tools = await embedded.open();
    await tools.goto('/keys');
    const click = async (more: object): Promise<string> => {
      await tools.ok('interact', { action: 'click', selector: '#clicks', ...more });
      return tools.textOf('#result');
    };
    expect(await click({})).toBe('Clicked');
    expect(await click({ clickCount: 2 })).toBe('Clicked 2 times');
    expect(await click({ button: 'right' })).toBe('Right-clicked');
    expect(await click({ button: 'middle' })).toBe('Middle-clicked');
    expect(await click({ modifiers: ['Shift'] })).toBe('Clicked with Shift');
    await tools.goto('/coordinates');
    await tools.ok('interact', { action: 'click', selector: '#board', offset: [301, 61] });
    expect(await tools.textOf('#result')).toBe('Marked 1,3');
  });

  test('scroll to what is below the fold', async () => {
    await using tools = await embedded.open();
    await tools.goto('/scroll');
    await tools.ok('interact', { action: 'click', text: 'Press at the end' });
    expect(await tools.textOf('#result')).toBe('Reached the end.');
  });

  test('do not go to what covers the element: the error names it, and nothing was clicked', async () => {
    await using tools = await embedded.open();
    await tools.goto(
      inline(
        `<button id=b onclick="log.push('b')">Buy</button><div id=veil onclick="log.push('veil')" aria-label="Cookie notice" role=dialog style="position:fixed;inset:0;background:#fff8"></div><script>log = []</script>`,
      ),
    );
    const said = await tools.call('interact', { action: 'click', selector: '#b', timeoutMs: 500 });
    expect([said.kind, said.text]).toEqual([
      'obscured',
      'button "Buy" is covered by dialog "Cookie notice". Close or move what covers it, then try again.',
    ]);
    expect(await tools.evaluate('log')).toEqual([]);
    // As soon as the way is free, a waiting click goes through.
    await tools.evaluate(`setTimeout(() => document.querySelector('#veil').remove(), 200)`);
    await tools.ok('interact', { action: 'click', selector: '#b' });
    expect(await tools.evaluate('log')).toEqual(['b']);
  });

  test('that something slips under at the last moment are stopped before the page sees them', async () => {
    await using tools = await embedded.open();
    // The veil comes with the mouse, after the point was found free, and goes when the mouse is let alone.
    await tools.goto(
      inline(`<button id=b onclick="log.push('b')">Buy</button><div id=veil hidden style="position:fixed;inset:0" onpointerdown="log.push('veil')" onclick="log.push('veil')">Veil</div>
        <script>log = []; tricks = 9; onmousemove = () => { if (tricks-- > 0) { veil.hidden = false; setTimeout(() => { veil.hidden = true; }, 200); } }</script>`),
    );
    const said = await tools.call('interact', { action: 'click', selector: '#b' });
    expect([said.kind, said.text]).toEqual([
      'obscured',
      '[a1] button "Buy" did not get the event: div "Veil" did. Close or move what covers it, then try again.',
    ]);
    expect(await tools.evaluate('log')).toEqual([]);
    // One trick left: the second try goes through.
    await tools.evaluate('tricks = 1');
    await tools.ok('interact', { action: 'click', selector: '#b' });
    expect(await tools.evaluate('log')).toEqual(['b']);
  });

  test('wait until a disabled button is enabled, or say that it is not', async () => {
    await using tools = await embedded.open();
    await tools.goto(inline(`<button id=b disabled onclick="this.textContent = 'Done'">Pay</button>`));
    const said = await tools.call('interact', { action: 'click', selector: '#b', timeoutMs: 400 });
    expect([said.kind, said.text]).toEqual([
      'disabled',
      'button "Pay" is disabled. Do first what enables it, then try again.',
    ]);
    await tools.evaluate(`setTimeout(() => { document.querySelector('#b').disabled = false; }, 200)`);
    await tools.ok('interact', { action: 'click', selector: '#b' });
    expect(await tools.textOf('#b')).toBe('Done');
  });

  test('wait for what moves to stand still, and for what is hidden to be shown', async () => {
    await using tools = await embedded.open();
    await tools.goto(
      inline(`<style>@keyframes go{from{transform:translateX(0)}to{transform:translateX(500px)}}#m{animation:go .4s linear forwards}</style>
        <button id=m onclick="this.textContent = this.getBoundingClientRect().x > 490">Moving</button><button id=h hidden onclick="this.textContent = 'Shown'">Hidden</button>`),
    );
    await tools.ok('interact', { action: 'click', selector: '#m' });
    expect(await tools.textOf('#m')).toBe('true');
    expect((await tools.call('interact', { action: 'click', selector: '#h', timeoutMs: 300 })).kind).toBe(
      'not_visible',
    );
    await tools.evaluate(`setTimeout(() => { document.querySelector('#h').hidden = false; }, 150)`);
    await tools.ok('interact', { action: 'click', selector: '#h' });
    expect(await tools.textOf('#h')).toBe('Shown');
  });

  test('reach a steady button on a page that never stops changing', async () => {
    await using tools = await embedded.open();
    await tools.goto('/churn');
    await tools.ok('interact', { action: 'click', selector: '#steady' });
    expect(await tools.textOf('#result')).toBe('Pressed 1 times.');
  });
});

test('hovering opens a menu that can then be used', async () => {
  await using tools = await embedded.open();
  await tools.goto('/keys');
  expect(await tools.ok('read_page')).not.toContain('River trail');
  await tools.ok('interact', { action: 'hover', selector: '#menu-button' });
  const page = await tools.ok('read_page');
  await tools.ok('interact', { action: 'click', ref: refOf(page, 'River trail') });
  expect(await tools.textOf('#result')).toBe('Trail: River');
});

describe('dragging', () => {
  test('an item of a list by drag and drop', async () => {
    await using tools = await embedded.open();
    await tools.goto('/keys');
    await tools.ok('interact', { action: 'drag', selector: '#drag-one', to: { selector: '#drag-three' } });
    expect(await tools.textOf('#result')).toBe('Order: Two, Three, One');
    const page = await tools.ok('read_page');
    await tools.ok('interact', { action: 'drag', ref: refOf(page, '"Three"'), to: { ref: refOf(page, '"Two"') } });
    expect(await tools.textOf('#result')).toBe('Order: Three, Two, One');
  });

  test('a handle by the mouse, to a coordinate', async () => {
    await using tools = await embedded.open();
    await tools.goto('/coordinates');
    await tools.ok('interact', { action: 'drag', selector: '#handle', to: { coordinate: [680, 224] } });
    expect(await tools.textOf('#value')).toBe('Value 50');
  });

  test('to a point of the element that it is dropped on', async () => {
    await using tools = await embedded.open();
    await tools.goto('/coordinates');
    await tools.ok('interact', { action: 'drag', selector: '#handle', to: { selector: '#slider', offset: [100, 4] } });
    expect(await tools.textOf('#value')).toBe('Value 25');
  });

  test('in three calls, by the mouse and as drag and drop', async () => {
    await using tools = await embedded.open();
    await tools.goto('/coordinates');
    expect((await tools.call('mouse', { operation: 'up' })).text).toBe(
      'The mouse is nowhere yet. Give an element or a coordinate.',
    );
    await tools.ok('mouse', { operation: 'down', selector: '#handle' });
    await tools.ok('hover_at', { coordinate: [580, 224] });
    expect(await tools.textOf('#value')).toBe('Value 25');
    await tools.ok('interact', { action: 'hover', selector: '#slider', offset: [200, 4] });
    expect(await tools.ok('mouse', { operation: 'up' })).toMatch(/^Let the mouse button up at \(680, 224\): slider/);
    await tools.ok('hover_at', { coordinate: [780, 224] });
    expect(await tools.textOf('#value')).toBe('Value 50');

    await tools.goto('/keys');
    await tools.ok('mouse', { operation: 'down', selector: '#drag-one' });
    await tools.ok('interact', { action: 'hover', selector: '#drag-two' });
    await tools.ok('interact', { action: 'hover', selector: '#drag-three' });
    await tools.ok('mouse', { operation: 'up', selector: '#drag-three' });
    expect(await tools.textOf('#result')).toBe('Order: Two, Three, One');
  });

  test('to nothing presses nothing that is not released', async () => {
    await using tools = await embedded.open();
    await tools.goto('/coordinates');
    const said = await tools.call('interact', {
      action: 'drag',
      selector: '#handle',
      to: { selector: '#none' },
      timeoutMs: 400,
    });
    expect(said.kind).toBe('not_found');
    await tools.ok('hover_at', { coordinate: [700, 224] });
    expect(await tools.textOf('#value')).toBe('Value 0');
  });
});

describe('coordinates', () => {
  test('click, drag, hover and type', async () => {
    await using tools = await embedded.open();
    await tools.goto('/coordinates');
    expect(await tools.ok('click_at', { coordinate: [41 + 180, 161 + 300] })).toBe(
      'Clicked at (221, 461): image "Board of three rows and three columns".',
    );
    expect(await tools.textOf('#result')).toBe('Marked 3,2');
    await tools.ok('drag_at', { coordinate: [480, 224], to: [580, 224] });
    expect(await tools.textOf('#value')).toBe('Value 25');
    const outside = await tools.call('click_at', { coordinate: [5_000, 10] });
    expect(outside.text).toContain('(5000, 10) is outside of the viewport, which is 1280 by 720.');

    await tools.goto('/keys');
    await tools.ok('interact', { action: 'scroll', selector: '#editor' });
    const [x, y, hx, hy] = (await tools.evaluate(
      `['chord', 'menu-button'].flatMap((id) => { const b = document.getElementById(id).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })`,
    )) as number[];
    await tools.ok('type_at', { coordinate: [x, y], value: 'one' });
    await tools.ok('type_at', { coordinate: [x, y], value: 'two' });
    expect(await tools.evaluate(`document.querySelector('#chord').value`)).toBe('two');
    await tools.ok('hover_at', { coordinate: [hx, hy] });
    expect(await tools.ok('read_page')).toContain('River trail');
  });

  test('drag and drop by coordinates', async () => {
    await using tools = await embedded.open();
    await tools.goto('/keys');
    await tools.ok('interact', { action: 'scroll', selector: '#order' });
    const [x, y, tx, ty] = (await tools.evaluate(
      `['drag-one', 'drag-two'].flatMap((id) => { const b = document.getElementById(id).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })`,
    )) as number[];
    await tools.ok('drag_at', { coordinate: [x, y], to: [tx, ty] });
    expect(await tools.textOf('#result')).toBe('Order: Two, One, Three');
  });
});

test('buttons apart and taps are what the page sees', async () => {
  await using tools = await embedded.open();
  await tools.goto('/input');
  await tools.ok('mouse', { operation: 'down', selector: '#pad', offset: [20, 30], button: 'right' });
  await tools.ok('mouse', { operation: 'up', selector: '#pad', offset: [40, 50], button: 'right' });
  expect(await tools.textOf('#result')).toBe('pointerdown mouse 2 20,30; pointerup mouse 2 40,50');
  await tools.goto('/input');
  expect(await tools.ok('interact', { action: 'tap', selector: '#pad', offset: [20, 30] })).toMatch(
    /^Tapped \[\w+\] image "Pad"/,
  );
  const finger = ['pointerdown touch 0 20,30', 'pointerup touch 0 20,30', 'click touch 0 20,30'];
  expect(await tools.textOf('#result')).toBe(finger.join('; '));
  const [x, y] = (await tools.evaluate(
    `(() => { const box = document.querySelector('#pad').getBoundingClientRect(); return [box.x + 20, box.y + 30]; })()`,
  )) as number[];
  await tools.ok('tap_at', { coordinate: [x, y] });
  expect(await tools.textOf('#result')).toBe([...finger, ...finger].join('; '));
});

describe('scrolling', () => {
  test('by the wheel says how far it went, also inside an element', async () => {
    await using tools = await embedded.open();
    await tools.goto('/scroll');
    expect(await tools.ok('interact', { action: 'scroll', direction: 'down', selector: '#feed', amount: 200 })).toBe(
      'Scrolled down by 200 pixels, to 0, 200.',
    );
    await tools.ok('interact', { action: 'scroll', direction: 'down', selector: '#feed', amount: 2_000 });
    await tools.ok('wait_for', { text: 'The feed has 40 items.' });
    expect(await tools.ok('interact', { action: 'scroll', direction: 'up', selector: 'h1', amount: 200 })).toContain(
      'Nothing scrolled',
    );
    // The feed is in the middle of the viewport, and the page is what is meant.
    expect(await tools.ok('interact', { action: 'scroll', direction: 'down', amount: 300 })).toBe(
      'Scrolled down by 300 pixels, to 0, 300.',
    );
    await tools.ok('interact', { action: 'scroll', selector: '#target' });
    expect(await tools.evaluate('scrollY')).toBeGreaterThan(2_000);
  });
});

describe('keys', () => {
  test('chords reach the page, and edit as they should', async () => {
    await using tools = await embedded.open();
    await tools.goto('/keys');
    const press = async (key: string): Promise<string> => {
      await tools.ok('interact', { action: 'press', key, selector: '#chord' });
      return tools.textOf('#last-chord');
    };
    expect(await press('Control+Shift+k')).toBe('Control+Shift+K');
    expect(await press('Enter')).toBe('Enter');
    expect(await press('alt+ArrowUp')).toBe('Alt+ArrowUp');
    expect(await press('Space')).toBe('Space');
    expect(await press('?')).toBe('?');
    await tools.ok('interact', { action: 'type', selector: '#chord', value: 'wrong' });
    await tools.ok('interact', { action: 'press', key: 'Control+A' });
    await tools.ok('interact', { action: 'press', key: 'Backspace' });
    expect(await tools.evaluate(`document.querySelector('#chord').value`)).toBe('');
    await tools.ok('interact', { action: 'press', key: 'Tab', selector: '#chord' });
    expect(await tools.evaluate('document.activeElement.id')).toBe('editor');
    await tools.ok('interact', { action: 'press', key: 'Shift+Tab' });
    expect(await tools.evaluate('document.activeElement.id')).toBe('chord');
    const said = await tools.call('interact', { action: 'press', key: 'Control+Banana' });
    expect(said.text).toBe(
      '"Control+Banana" is not a valid key chord: "Banana" is not a known key. Write keys like "Enter", "ArrowDown", "a", "KeyA", "NumpadEnter" or "Control+Shift+A".',
    );
  });

  test('are named by their place too, and say on which side they are', async () => {
    await using tools = await embedded.open();
    await tools.goto('/input');
    const press = async (key: string): Promise<string> => {
      await tools.ok('interact', { action: 'press', key });
      return tools.textOf('#last-key');
    };
    expect(await press('KeyA')).toBe('KeyA a 0');
    expect(await press('Shift+Digit1')).toBe('Digit1 ! 0');
    expect(await press('NumpadEnter')).toBe('NumpadEnter Enter 3');
    expect(await press('Numpad5')).toBe('Numpad5 5 3');
    expect(await press('CapsLock')).toBe('CapsLock CapsLock 0');
    expect(await press('Shift')).toBe('ShiftLeft Shift 1');
    expect(await press('ShiftRight')).toBe('ShiftRight Shift 2');
    expect(await press('ControlOrMeta+KeyB')).toBe(`KeyB b 0 ${process.platform === 'darwin' ? ' meta' : 'ctrl'}`);
    expect(await tools.textOf('#screen')).toBe('a!⏎5');
  });

  test('typing slowly sends every key', async () => {
    await using tools = await embedded.open();
    await tools.goto(inline('<input id=i aria-label=I>'));
    await tools.evaluate(
      `globalThis.keys = []; document.querySelector('#i').addEventListener('keydown', (event) => keys.push(event.key))`,
    );
    await tools.ok('interact', { action: 'type', selector: '#i', value: 'Hé 1!', slowly: true });
    expect(await tools.evaluate('keys')).toEqual(['H', ' ', '1', '!']);
    expect(await tools.evaluate(`document.querySelector('#i').value`)).toBe('Hé 1!');
  });
});
