/** Reasons not to start, and how they are shown to the user. */
import type { RuntimePack } from '../../src/capture/formats.ts';
import { button, element, Panel } from './panel.ts';

export function whyNotHere(pack: RuntimePack, now: number): string | undefined {
  if (location.origin !== pack.target.origin) {
    return `This pack is for ${pack.target.origin}, and this page is ${location.origin}. Nothing was sent.`;
  }
  const expiry = Date.parse(pack.expires_at);
  if (!(now < expiry)) return `This pack expired at ${pack.expires_at}. Make a new one. Nothing was sent.`;
  if (pack.items.length === 0) return 'This pack has no items.';
  return undefined;
}

export function refuse(...reasons: readonly string[]): void {
  const panel = new Panel('Browser Harness can’t start');
  const list = element(
    'div',
    {},
    ...reasons.map((reason) => element('p', { className: 'error', textContent: reason })),
  );
  list.setAttribute('role', 'alert');
  panel.body.append(
    list,
    element(
      'div',
      { className: 'row' },
      button('Close', () => panel.close()),
    ),
  );
}
