/** How a call to @playwright/mcp names an element: by a ref of its snapshot or by a selector. */
import { BOX_OF } from './in-page.ts';
import { LOCAL_NAME } from './locating-scripts.ts';
import { parsePlaywrightSnapshot } from './parse-playwright-snapshot.ts';
import { failed, locate, type Plan, unsupported } from './plan.ts';
import { findInSnapshot } from './snapshot.ts';
import { describeTarget, type Target } from './target.ts';

export const INTO_FRAME = ' >> internal:control=enter-frame >> ';

/** The arguments that name the element. `element` is for people who read the server's log. */
export function* element(target: Target): Plan<{ target: string; element: string }> {
  return { target: yield* name(target), element: describeTarget(target) };
}

function* name(target: Target): Plan<string> {
  if (target.ref !== undefined) return target.ref;
  if (target.selector !== undefined) {
    const selector = yield* selectorOf(target.selector);
    return target.nth === undefined ? selector : `${selector} >> nth=${target.nth - 1}`;
  }
  if (target.at) throw unsupported('@playwright/mcp does this to an element, not at a point.');
  const { text } = yield* locate('browser_snapshot', {});
  return findInSnapshot(parsePlaywrightSnapshot(text), target).ref;
}

/** Its selectors pass through open shadow roots, but enter a frame only with an explicit step. */
export function* selectorOf(written: string): Plan<string> {
  const [first = '', ...hops] = written.split('>>>').map((hop) => hop.trim());
  let selector = first;
  let host = first;
  for (const hop of hops) {
    selector += (yield* isFrame(selector, host)) ? `${INTO_FRAME}${hop}` : ` >> ${hop}`;
    host = hop;
  }
  return selector;
}

function* isFrame(selector: string, host: string): Plan<boolean> {
  const last = host.split(/[\s>+~]+/).at(-1) ?? '';
  if (/^i?frame\b/i.test(last)) return true;
  // "#outer" can be a frame or not, so the page is queried.
  const { text } = yield* locate('browser_evaluate', {
    target: selector,
    element: host,
    function: LOCAL_NAME,
  });
  return /^"?i?frame"?$/.test(String(evaluated(text)));
}

/** The point of a target in the viewport: the middle of the element unless there is an offset. */
export function* point(target: Target, offset?: readonly [number, number]): Plan<{ x: number; y: number }> {
  const [dx, dy] = offset ?? [0, 0];
  if (target.at) return { x: target.at[0] + dx, y: target.at[1] + dy };
  const { text } = yield* locate('browser_evaluate', { ...(yield* element(target)), function: BOX_OF });
  const box = evaluated(text);
  if (!Array.isArray(box)) {
    throw unsupported(
      `@playwright/mcp can't reach a point inside a frame of another origin (${describeTarget(target)}).`,
    );
  }
  const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
  if (width === 0 || height === 0) throw failed('element_not_found', `The ${describeTarget(target)} is not shown.`);
  return offset ? { x: x + dx, y: y + dy } : { x: x + width / 2, y: y + height / 2 };
}

/** Reads the return value of browser_evaluate. */
export function evaluated(text: string): unknown {
  const json = /### Result\n([\s\S]*?)(?:\n### |$)/.exec(text)?.[1];
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    // A result that is not JSON is a text.
    return json;
  }
}
