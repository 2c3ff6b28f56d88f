/**
 * The calls of BrowserOS's two generations of tools: one tool for each action (its agent server 0.0.74, June 2026), and `tabs`, `navigate`,
 * `snapshot` and `act` with a kind (its source of July 2026). Every call names a page by its number.
 */
import type { RenderContext } from './plan.ts';
import type { PlannedCall as Call } from './wait-in-page.ts';

interface Click {
  x: number;
  y: number;
  button: string;
  clickCount: number;
}

export interface BrowserOsCalls {
  pages(): Call;
  open(url: string): Call;
  close(page: number): Call;
  navigate(page: number, to: { action: string; url?: string }): Call;
  snapshot(page: number): Call;
  screenshot(page: number): Call;
  evaluate(page: number, expression: string): Call;
  clickAt(page: number, at: Click): Call;
  press(page: number, key: string): Call;
  scroll(page: number, direction: string, amount: number): Call;
  /** Types where the focus is. Absent where only keys can be pressed. */
  type?(page: number, text: string): Call;
  hoverAt?(page: number, x: number, y: number): Call;
  dragAt?(page: number, from: readonly [number, number], to: readonly [number, number]): Call;
  dialog?(page: number, accept: boolean, promptText: string | undefined): Call;
  /** By the server's own name of the file input. */
  upload(page: number, ref: string, files: readonly string[]): Call;
}

const call = (tool: string, args: Call['args'] = {}): Call => ({ tool, args });

const TOOL_FOR_EACH: BrowserOsCalls = {
  pages: () => call('list_pages'),
  open: (url) => call('new_page', { url }),
  close: (page) => call('close_page', { page }),
  navigate: (page, to) => call('navigate_page', { page, ...to }),
  snapshot: (page) => call('take_snapshot', { page }),
  screenshot: (page) => call('take_screenshot', { page, format: 'jpeg' }),
  evaluate: (page, expression) => call('evaluate_script', { page, expression }),
  clickAt: (page, at) => call('click_at', { page, ...at }),
  press: (page, key) => call('press_key', { page, key }),
  scroll: (page, direction, amount) => call('scroll', { page, direction, amount }),
  dialog: (page, accept, promptText) =>
    call('handle_dialog', { page, accept, ...(promptText === undefined ? {} : { promptText }) }),
  upload: (page, ref, files) => call('upload_file', { page, element: Number(ref), files }),
};

/** Names under which a server may take the expression to evaluate. */
const EXPRESSION = ['expression', 'code', 'script'];

const actCalls = ({ takes }: RenderContext): BrowserOsCalls => {
  const known = takes?.get('evaluate')?.names;
  const expressionName = EXPRESSION.find((name) => known?.has(name)) ?? 'expression';
  const act = (page: number, kind: string, args: Call['args'] = {}): Call => call('act', { page, kind, ...args });
  return {
    pages: () => call('tabs', { action: 'list' }),
    open: (url) => call('tabs', { action: 'new', url }),
    close: (page) => call('tabs', { action: 'close', page }),
    navigate: (page, to) => call('navigate', { page, ...to }),
    snapshot: (page) => call('snapshot', { page }),
    screenshot: (page) => call('screenshot', { page }),
    evaluate: (page, expression) => call('evaluate', { page, [expressionName]: expression }),
    clickAt: (page, at) => act(page, 'click_at', { ...at }),
    press: (page, key) => act(page, 'press', { key }),
    scroll: (page, direction, amount) => act(page, 'scroll', { direction, amount }),
    type: (page, text) => act(page, 'type', { text }),
    hoverAt: (page, x, y) => act(page, 'hover_at', { x, y }),
    dragAt: (page, [startX, startY], [endX, endY]) => act(page, 'drag_at', { startX, startY, endX, endY }),
    upload: (page, ref, files) => call('upload', { page, ref, files }),
  };
};

/** The generation that the server's tools are of. */
export function browserOsCalls(context: RenderContext): BrowserOsCalls {
  return context.tools.has('act') ? actCalls(context) : TOOL_FOR_EACH;
}
