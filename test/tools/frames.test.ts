import { describe, expect, test } from 'vitest';
import { refOf, type TestTools, useEmbeddedServer } from './embedded.ts';

const KINDS = ['same-origin', 'same-site', 'cross-site'];

describe.each([
  { where: 'in one process', flags: [] },
  { where: 'in processes of their own', flags: ['--site-per-process'] },
])('frames $where', ({ flags }) => {
  const embedded = useEmbeddedServer({ extraFlags: flags });
  /** A frame's session is attached beside the page's load event, and may come a moment after it. */
  const goto = async (tools: TestTools, path: string, processes: number): Promise<void> => {
    await tools.goto(path);
    await expect.poll(() => tools.slot.firstPage.frameSessions.size).toBe(flags.length === 0 ? 0 : processes);
  };

  test('are read in place, and acted on by ref', async () => {
    await using tools = await embedded.open();
    await goto(tools, '/frames', 1);
    const page = await tools.ok('read_page');
    for (const kind of KINDS) {
      const words = kind.replace('-', ' ');
      await tools.ok('interact', {
        action: 'type',
        ref: refOf(page, `textbox "Message from the ${words} frame"`),
        value: `from ${kind}`,
      });
      await tools.ok('interact', { action: 'click', ref: refOf(page, `button "Send from ${words}"`) });
      await tools.ok('wait_for', { text: `The ${kind} frame sent: from ${kind}` });
    }
  });

  test('are reached by ">>>" selectors, by role and name, and by text', async () => {
    await using tools = await embedded.open();
    await tools.goto('/frames');
    for (const kind of KINDS) {
      await tools.ok('form_input', { selector: `#frame-${kind} >>> #frame-field`, value: kind });
      await tools.ok('interact', { action: 'press', key: '!', selector: `#frame-${kind} >>> #frame-field` });
    }
    await tools.ok('interact', { action: 'click', text: 'Send from cross site' });
    await tools.ok('wait_for', { text: 'The cross-site frame sent: cross-site!' });
    await tools.ok('interact', { action: 'click', role: 'button', name: 'Send from same site' });
    await tools.ok('wait_for', { text: 'The same-site frame sent: same-site!' });
    const found = await tools.ok('find', { query: 'send from same origin button' });
    await tools.ok('interact', { action: 'click', ref: refOf(found, 'Send from same origin') });
    await tools.ok('wait_for', { text: 'The same-origin frame sent: same-origin!' });
  });

  test('inside each other are reached as well', async () => {
    await using tools = await embedded.open();
    await goto(tools, '/frames-nested', 2);
    const page = await tools.ok('read_page');
    expect(page).toContain('Outer frame, from another site');
    await tools.ok('interact', { action: 'type', selector: '#outer >>> #inner >>> #frame-field', value: 'deep' });
    await tools.ok('interact', { action: 'click', ref: refOf(page, 'button "Send from same origin"') });
    await tools.ok('wait_for', { text: 'The same-origin frame sent: deep' });
  });

  test('that were removed or went elsewhere leave stale refs', async () => {
    await using tools = await embedded.open();
    await goto(tools, '/frames', 1);
    const page = await tools.ok('read_page');
    await tools.evaluate(
      `document.querySelector('#frame-cross-site').remove(); document.querySelector('#frame-same-origin').src = '/small'`,
    );
    await tools.ok('wait_for', { selector: '#frame-same-origin >>> #bump' });
    for (const words of ['cross site', 'same origin']) {
      const said = await tools.call('interact', { action: 'click', ref: refOf(page, `button "Send from ${words}"`) });
      expect(said.kind).toBe('stale_ref');
    }
    expect(await tools.ok('read_page')).toContain('button "Bump"');
  });

  test('below the fold are scrolled to, from within', async () => {
    await using tools = await embedded.open();
    await tools.goto('/frames');
    await tools.evaluate(`document.querySelector('h1').style.marginBottom = '3000px'`);
    for (const kind of KINDS) {
      await tools.evaluate('scrollTo(0, 0)');
      await tools.ok('interact', { action: 'click', selector: `#frame-${kind} >>> #frame-button` });
      await tools.ok('wait_for', { text: `The ${kind} frame sent: hello` });
    }
  });

  test('covered by something of the page around them are obscured', async () => {
    await using tools = await embedded.open();
    await tools.goto('/frames');
    await tools.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Veil style="position:fixed;inset:0"></div>')`,
    );
    const said = await tools.call('interact', {
      action: 'click',
      selector: '#frame-cross-site >>> #frame-button',
      timeoutMs: 600,
    });
    expect([said.kind, said.text]).toEqual([
      'obscured',
      'iframe "Cross site frame" is covered by dialog "Veil". Close or move what covers it, then try again.',
    ]);
  });
});

describe('shadow roots', () => {
  const embedded = useEmbeddedServer();

  test('are read in place and acted on, two deep', async () => {
    await using tools = await embedded.open();
    await tools.goto('/shadow');
    const page = await tools.ok('read_page');
    expect(page).not.toContain('Press closed button');
    await tools.ok('form_input', { ref: refOf(page, 'textbox "Deep field"'), value: 'pearl' });
    await tools.ok('interact', { action: 'click', text: 'Press deep button' });
    expect(await tools.textOf('#result')).toBe('Deep button pressed with: pearl');
    await tools.ok('interact', { action: 'click', selector: '#outer >>> #outer-button' });
    expect(await tools.textOf('#result')).toBe('Outer button pressed.');
    await tools.ok('interact', { action: 'click', selector: '#outer >>> #inner >>> #deep-button' });
    expect(await tools.textOf('#result')).toBe('Deep button pressed with: pearl');
  });

  test('attached later are seen when they are there', async () => {
    await using tools = await embedded.open();
    await tools.goto('/shadow');
    const early = await tools.call('interact', { action: 'click', selector: '#late >>> #late-button', timeoutMs: 300 });
    expect(early.kind).toBe('not_found');
    expect(early.text).toContain('"#late" has no open shadow root and is not a frame');
    await tools.evaluate(`setTimeout(() => document.querySelector('#late').attach(), 150)`);
    await tools.ok('interact', { action: 'click', role: 'button', name: 'Press late button' });
    expect(await tools.textOf('#result')).toBe('Late button pressed.');
  });
});
