/**
 * A separate script for users who enter selectors. It runs on the chat page, shows what each role's selectors match there, frames it,
 * and keeps up while the page changes. It writes nothing into the page and sends nothing.
 */
import { ROLES, type Role, type SelectorTest } from '../../src/capture/formats.ts';
import { Highlights } from './highlight.ts';
import { lookFor } from './look.ts';
import { button, element, Panel } from './panel.ts';

declare const __WAYMARK_TEST__: SelectorTest;

declare global {
  interface Window {
    __EVAL752_SELECTOR_TEST__?: { close(): void };
  }
}

const LOOK_MS = 200;
const COLOURS: Readonly<Record<Role, string>> = {
  composer: '#0b62a4',
  send: '#1c7a3d',
  busy: '#a14a00',
  assistant_turn: '#6b3fa0',
  assistant_body: '#8a2f6b',
  done: '#0f6f6f',
  new_chat: '#8a5a00',
  model_label: '#5a5f66',
};

function testSelectors({ origin, selectors }: SelectorTest): void {
  window.__EVAL752_SELECTOR_TEST__?.close();
  const panel = new Panel('Selector test');
  const highlights = new Highlights();
  const summary = element('p', {});
  summary.setAttribute('role', 'status');
  const list = element('div', { className: 'body', id: 'roles' });
  list.style.padding = '0';

  const look = (): void => {
    const findings = ROLES.map((role) => lookFor(role, selectors));
    const found = findings.filter(({ isFound }) => isFound);
    // Said once for each change, not at each look.
    const says = `${found.length} of ${ROLES.filter((role) => selectors[role].length > 0).length} roles found. Nothing is sent.`;
    if (summary.textContent !== says) summary.textContent = says;
    list.replaceChildren(
      ...findings.map(({ role, isFound, says: what }) => {
        const name = element('strong', { textContent: `${isFound ? '✓' : '–'} ${role}` });
        name.style.cssText = `font-weight:600;border-left:4px solid ${COLOURS[role]};padding-left:6px`;
        return element('p', {}, name, element('br', {}), element('span', { textContent: what }));
      }),
    );
    highlights.show(
      findings.map(({ role, elements }) => ({
        label: role,
        colour: COLOURS[role],
        isLow: role === 'assistant_turn',
        elements,
      })),
    );
  };

  let soon: ReturnType<typeof setTimeout> | undefined;
  const lookSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined;
      look();
    }, LOOK_MS);
  };
  const observer = new MutationObserver(lookSoon);
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  addEventListener('scroll', lookSoon, { capture: true, passive: true });
  addEventListener('resize', lookSoon);
  const close = (): void => {
    observer.disconnect();
    clearTimeout(soon);
    removeEventListener('scroll', lookSoon, { capture: true });
    removeEventListener('resize', lookSoon);
    highlights.close();
    panel.close();
  };
  window.__EVAL752_SELECTOR_TEST__ = { close };

  if (origin !== '' && origin !== location.origin) {
    const elsewhere = `The pack is for ${origin}, and this page is ${location.origin}: it would not start here.`;
    panel.body.append(element('p', { className: 'error', textContent: elsewhere }));
  }
  panel.body.append(
    summary,
    list,
    element('div', { className: 'row' }, button('Look again', look), button('Close', close)),
  );
  look();
}

testSelectors(__WAYMARK_TEST__);
