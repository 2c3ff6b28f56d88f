import type { ReactNode } from 'react';

/** Wide or long content scrolls in here, by keyboard too, and never moves the page sideways. */
export function ScrollBox({ label, children, tall = false }: { label: string; children: ReactNode; tall?: boolean }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus, or the keyboard can't scroll it
    <section aria-label={label} tabIndex={0} className={tall ? 'scroll-box scroll-box-tall' : 'scroll-box'}>
      {children}
    </section>
  );
}
