/**
 * Which canonical action a server's own call is: the other way round than rendering. It is known by what a tool is for, so that a rule about
 * clicks holds on every server that is known here; what a script does is not looked into.
 */
import { type ActionName, CanonicalAction } from './action.ts';

export const ACTION_NAMES: readonly ActionName[] = CanonicalAction.options.map(({ shape }) => shape.action.value);

/** The tools of the servers that have a profile. No name means different actions on two of them. */
const TOOLS: Readonly<Record<ActionName, readonly string[]>> = {
  navigate: ['navigate', 'page_reload', 'browser_navigate', 'browser_navigate_back', 'navigate_page'],
  read: [
    ...['read_page', 'find', 'query_dom', 'page_content', 'inspect'],
    ...['browser_snapshot', 'browser_find'],
    ...['take_snapshot', 'take_enhanced_snapshot', 'get_page_content', 'get_page_links', 'get_dom', 'search_dom'],
    ...['snapshot', 'read', 'grep'],
  ],
  screenshot: ['page_screenshot', 'browser_take_screenshot', 'take_screenshot', 'screenshot'],
  click: ['click', 'click_at', 'browser_click', 'browser_mouse_click_xy'],
  type: ['type_at', 'type_text', 'fill', 'fill_form', 'form_input', 'browser_type', 'browser_fill_form'],
  select: ['browser_select_option', 'select_option'],
  press: ['press_key', 'browser_press_key'],
  scroll: ['lightweight_scroll', 'browser_mouse_wheel'],
  drag: ['drag', 'drag_at', 'drag_drop', 'browser_drag', 'browser_mouse_drag_xy'],
  hover: ['hover', 'hover_at', 'browser_hover', 'browser_mouse_move_xy'],
  wait: ['wait_for', 'wait', 'browser_wait_for'],
  evaluate: ['javascript_tool', 'evaluate_script', 'evaluate', 'browser_evaluate', 'browser_run_code_unsafe', 'run'],
  handle_dialog: ['handle_dialog', 'browser_handle_dialog'],
  upload: ['upload_file', 'file_upload', 'upload', 'browser_file_upload'],
  tab: [
    ...['tabs_context', 'tabs_create', 'tabs_close', 'browser_tabs'],
    ...['list_pages', 'new_page', 'select_page', 'close_page', 'get_active_page', 'tabs'],
  ],
};
/** Tools whose argument `action` or `kind` says what they do, and what they do without it. */
const BY_ARGUMENT: Readonly<Record<string, string>> = { interact: 'click', computer: '', act: '' };
const OWN_WORDS: Readonly<Record<string, ActionName>> = {
  left_click: 'click',
  right_click: 'click',
  double_click: 'click',
  triple_click: 'click',
  click_at: 'click',
  fill: 'type',
  type_at: 'type',
  hover_at: 'hover',
  drag_at: 'drag',
  key: 'press',
  scroll_to: 'scroll',
};

const BY_TOOL: ReadonlyMap<string, ActionName> = new Map(
  ACTION_NAMES.flatMap((action) => TOOLS[action].map((tool) => [tool, action] as const)),
);

/**
 * Undefined where the tool is not known, or does nothing that an action stands for.
 *
 * @example
 * actionOfCall('browser_click', {}); // => 'click'
 * actionOfCall('interact', { action: 'hover' }); // => 'hover'
 */
export function actionOfCall(tool: string, args: unknown): ActionName | undefined {
  if (!Object.hasOwn(BY_ARGUMENT, tool)) return BY_TOOL.get(tool);
  const { action, kind } = Object(args);
  const word = String(action ?? kind ?? BY_ARGUMENT[tool]);
  return Object.hasOwn(OWN_WORDS, word) ? OWN_WORDS[word] : ACTION_NAMES.find((action) => action === word);
}
