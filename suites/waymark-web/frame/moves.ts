/** Moves of transcripts, in few words. Elements are named by selectors, which every tool server understands. */
import type { Move } from '../../../src/agents/transcript.ts';

export const click = (selector: string): Move => ({ action: { action: 'click', target: { selector } } });
export const type = (selector: string, text: string): Move => ({
  action: { action: 'type', target: { selector }, text },
});
/** Types and presses Enter. */
export const search = (text: string): Move => ({
  action: { action: 'type', target: { selector: '#q' }, text, submit: true },
});
export const select = (selector: string, option: string): Move => ({
  action: { action: 'select', target: { selector }, options: [option] },
});
export const open = (url: string): Move => ({ action: { action: 'navigate', url } });
export const read = (): Move => ({ action: { action: 'read' } });
export const drag = (selector: string, to: string): Move => ({
  action: { action: 'drag', target: { selector }, to: { selector: to } },
});
export const link = (href: string): Move => click(`a[href="${href}"]`);
export const dialog = (accept: boolean): Move => ({ action: { action: 'handle_dialog', accept } });
/** The task can be done without it. */
export const optional = (move: Move): Move => ({ ...move, optional: true });

/** A page of a site, for `read` of a template: the whole path, with any query. */
export function pageOf(site: string, path: string): string {
  return `^http://${site}\\.waymark\\.test${path}(\\?|$)`;
}

export function waitFor(selector: string): Move {
  return { action: { action: 'wait', selector } };
}
