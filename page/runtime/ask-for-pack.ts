/** For packs that no bookmarklet can hold: asks for the pack's file. It is read here and goes nowhere. */
import { button, element, Panel } from './panel.ts';

export function askForPack(onPack: (pack: unknown) => void): void {
  const panel = new Panel('Browser Harness');
  const input = element('input', { id: 'file' });
  input.type = 'file';
  input.accept = '.json,application/json';
  const label = element('label', { textContent: 'Choose the pack file that you downloaded:' });
  label.htmlFor = 'file';
  const problem = element('p', { className: 'error' });
  problem.setAttribute('role', 'alert');
  input.addEventListener('change', async () => {
    const text = await input.files?.[0]?.text();
    if (text === undefined) return;
    try {
      const pack: unknown = JSON.parse(text);
      panel.close();
      onPack(pack);
    } catch {
      // The user gets a message below; the parser's message would not help.
      problem.textContent = 'This file is no pack: it does not hold JSON.';
    }
  });
  panel.body.append(
    label,
    input,
    problem,
    element(
      'div',
      { className: 'row' },
      button('Close', () => panel.close()),
    ),
  );
}
