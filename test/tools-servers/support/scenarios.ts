/** Canonical actions on the fixture pages, each with what the page itself must say afterwards. */
import type { CanonicalAction } from '../../../src/tools/canonical/action.ts';

export interface Scenario {
  name: string;
  page: string;
  actions: CanonicalAction[];
  /** An expression in the page, and its value. */
  expect: [expression: string, value: unknown];
  /** Servers that can't do it, and their sentence at the action where that is found out; what comes after is not tried. */
  unsupported?: Partial<Record<ServerName, string>>;
}
export type ServerName = 'embedded' | 'playwright' | 'chrome-devtools' | 'openchrome';

const result = (text: string): Scenario['expect'] => ["document.querySelector('#result').textContent", text];
const NO_DRAG = 'OpenChrome’s drag_drop reports success without moving anything: it only sends drop events.';
const button = (name: string) => ({ role: 'button', name });

export const SCENARIOS: Scenario[] = [
  {
    name: 'a form, by role and name',
    page: '/form',
    actions: [
      { action: 'type', target: { role: 'textbox', name: 'Name' }, text: 'Ada' },
      { action: 'type', target: { role: 'textbox', name: 'Email' }, text: 'ada@example.com' },
      { action: 'select', target: { role: 'combobox', name: 'Plan' }, options: ['Standard'] },
      { action: 'click', target: { role: 'checkbox', name: 'I accept the terms' } },
      { action: 'click', target: button('Sign up') },
      { action: 'wait', text: 'Thank you, Ada' },
    ],
    expect: ["document.querySelector('main').innerText.includes('Thank you, Ada')", true],
  },
  {
    name: 'a form, by selector, sent by Enter',
    page: '/form',
    actions: [
      { action: 'select', target: { selector: '#plan' }, options: ['Basic'] },
      { action: 'click', target: { selector: '#terms' } },
      { action: 'type', target: { selector: '#email' }, text: 'bob@example.com' },
      { action: 'type', target: { selector: '#name' }, text: 'Bob', submit: true },
      { action: 'wait', url: '/form/done' },
    ],
    expect: [
      "location.search + document.querySelector('main').innerText.includes('Thank you, Bob')",
      '?name=Bob&email=bob%40example.com&plan=basictrue',
    ],
  },
  {
    name: 'a wizard over several pages',
    page: '/wizard',
    actions: [
      { action: 'type', target: { selector: '#traveller' }, text: 'Ada' },
      { action: 'click', target: { selector: '#next' } },
      { action: 'wait', selector: '#from' },
      { action: 'read' },
    ],
    expect: ["document.querySelector('#from') !== null", true],
  },
  {
    name: 'an item of a list, by its button’s name',
    page: '/list',
    actions: [
      { action: 'click', target: { role: 'button', name: 'Rename', nth: 1 } },
      { action: 'wait', selector: '#rename' },
      { action: 'type', target: { selector: '#rename' }, text: 'Renamed item', submit: true },
    ],
    expect: ["document.querySelector('main').innerText.includes('Renamed item')", true],
  },
  {
    name: 'an alert',
    page: '/dialogs',
    actions: [
      { action: 'click', target: { text: 'Show an alert' } },
      { action: 'handle_dialog', accept: true },
    ],
    expect: result('Alert closed.'),
    unsupported: { openchrome: 'OpenChrome dismisses dialogs by itself and has no tool to answer them.' },
  },
  {
    name: 'a prompt with an answer',
    page: '/dialogs',
    actions: [
      { action: 'click', target: { selector: '#prompt' } },
      { action: 'handle_dialog', accept: true, promptText: 'Grace' },
    ],
    expect: result('Hello, Grace.'),
    unsupported: { openchrome: 'OpenChrome dismisses dialogs by itself and has no tool to answer them.' },
  },
  {
    name: 'a confirmation that is dismissed',
    page: '/dialogs',
    actions: [
      { action: 'click', target: { selector: '#confirm' } },
      { action: 'handle_dialog', accept: false },
    ],
    expect: result('Not confirmed.'),
    unsupported: { openchrome: 'OpenChrome dismisses dialogs by itself and has no tool to answer them.' },
  },
  {
    name: 'a frame of another site, by selector',
    page: '/frames',
    actions: [
      { action: 'type', target: { selector: 'iframe[name="cross-site"] >>> #frame-field' }, text: 'hello' },
      { action: 'click', target: { selector: '#frame-cross-site >>> #frame-button' } },
      { action: 'wait', text: 'frame sent: hello' },
    ],
    expect: ["document.querySelector('#result').textContent.includes('sent: hello')", true],
    unsupported: { openchrome: 'OpenChrome’s scripts do not reach into a frame of another site.' },
  },
  {
    name: 'a frame, by role and name',
    page: '/frames',
    // The frame posts a message to its parent, which arrives after the click was answered.
    actions: [
      { action: 'click', target: button('Send from same origin') },
      { action: 'wait', text: 'The same-origin frame sent' },
    ],
    expect: ["document.querySelector('#result').textContent.startsWith('The same-origin frame sent')", true],
  },
  {
    name: 'open shadow roots, two deep',
    page: '/shadow',
    actions: [
      { action: 'type', target: { selector: '#outer >>> #inner >>> #deep-field' }, text: 'abc' },
      { action: 'click', target: { selector: '#outer >>> #inner >>> #deep-button' } },
    ],
    expect: result('Deep button pressed with: abc'),
  },
  {
    name: 'a shadow root, by text',
    page: '/shadow',
    actions: [{ action: 'click', target: { text: 'Press outer button' } }],
    expect: result('Outer button pressed.'),
  },
  {
    name: 'a chord on an element',
    page: '/keys',
    actions: [{ action: 'press', key: 'Control+Shift+K', target: { selector: '#chord' } }],
    expect: ["document.querySelector('#last-chord').textContent", 'Control+Shift+K'],
  },
  {
    name: 'text that is typed key by key after what is there',
    page: '/small',
    actions: [
      { action: 'type', target: { selector: '#text' }, text: 'one' },
      { action: 'type', target: { selector: '#text' }, text: ' two', append: true },
    ],
    expect: ["document.querySelector('#text').value", 'one two'],
  },
  {
    name: 'rich text',
    page: '/keys',
    actions: [{ action: 'type', target: { selector: '#editor' }, text: 'Plain words' }],
    expect: result('Rich text: Plain words'),
  },
  {
    name: 'several options of a list',
    page: '/keys',
    actions: [{ action: 'select', target: { selector: '#colours' }, options: ['Green', 'White'] }],
    expect: result('Colours: Green, White'),
    unsupported: { 'chrome-devtools': 'chrome-devtools-mcp selects one option of a list, not several.' },
  },
  {
    name: 'a menu that opens under the mouse',
    page: '/keys',
    actions: [
      // An item below the fold would be scrolled to, and the menu would close.
      { action: 'scroll', target: { selector: '#menu-button' } },
      { action: 'hover', target: { selector: '#menu-button' } },
      { action: 'click', target: button('River trail') },
    ],
    expect: result('Trail: River'),
  },
  {
    name: 'a double click',
    page: '/keys',
    actions: [{ action: 'click', target: { selector: '#clicks' }, clickCount: 2 }],
    expect: result('Clicked 2 times'),
  },
  {
    name: 'a right click',
    page: '/keys',
    actions: [{ action: 'click', target: { selector: '#clicks' }, button: 'right' }],
    expect: result('Right-clicked'),
    unsupported: { 'chrome-devtools': 'chrome-devtools-mcp clicks with the left button only, not the right one.' },
  },
  {
    name: 'a click with a key held',
    page: '/keys',
    actions: [{ action: 'click', target: { selector: '#clicks' }, modifiers: ['Shift'] }],
    expect: result('Clicked with Shift'),
    unsupported: {
      'chrome-devtools': 'chrome-devtools-mcp holds no keys while it clicks.',
      openchrome: 'OpenChrome holds no keys while it clicks.',
    },
  },
  {
    name: 'dragging one element onto another',
    page: '/keys',
    actions: [{ action: 'drag', target: { selector: '#drag-one' }, to: { selector: '#drag-three' } }],
    expect: result('Order: Two, Three, One'),
    unsupported: { openchrome: NO_DRAG },
  },
  {
    name: 'dragging a handle by coordinates',
    page: '/coordinates',
    actions: [{ action: 'drag', target: { selector: '#handle' }, to: { at: [680, 224] } }],
    expect: ["document.querySelector('#value').textContent", 'Value 50'],
    unsupported: {
      'chrome-devtools': 'chrome-devtools-mcp drags from one element to another; it has no drag by coordinates.',
      openchrome: NO_DRAG,
    },
  },
  {
    name: 'a click at a point',
    page: '/coordinates',
    actions: [{ action: 'click', target: { at: [221, 341] } }],
    expect: result('Marked 2,2'),
  },
  {
    name: 'a click at an offset in an element',
    page: '/coordinates',
    actions: [{ action: 'click', target: { selector: '#board' }, offset: [301, 61] }],
    expect: result('Marked 1,3'),
  },
  {
    name: 'an element that is brought into view',
    page: '/scroll',
    actions: [
      { action: 'scroll', target: { selector: '#target' } },
      { action: 'click', target: { selector: '#target' } },
    ],
    expect: result('Reached the end.'),
  },
  {
    name: 'the page is scrolled',
    page: '/scroll',
    actions: [{ action: 'scroll', direction: 'down', amount: 600 }],
    expect: [
      'new Promise((done) => { const look = () => (scrollY === 600 ? done(600) : setTimeout(look, 20)); look(); })',
      600,
    ],
  },
  {
    name: 'an element is scrolled',
    page: '/scroll',
    actions: [
      { action: 'scroll', target: { selector: '#feed' }, direction: 'down', amount: 150 },
      { action: 'wait', ms: 200 },
    ],
    expect: ["document.querySelector('#feed').scrollTop > 0", true],
  },
  {
    name: 'an expression',
    page: '/small',
    actions: [{ action: 'evaluate', expression: "document.title = 'Changed by a script'" }],
    expect: ['document.title', 'Changed by a script'],
  },
  {
    name: 'waiting for what is gone, and back again',
    page: '/small',
    actions: [
      { action: 'wait', selector: '#nowhere', gone: true },
      { action: 'navigate', url: 'http://fixtures.waymark.test/form' },
      { action: 'navigate', url: 'back' },
    ],
    expect: ['location.pathname', '/small'],
  },
];
