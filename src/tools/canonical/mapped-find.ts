/**
 * Finds an element for a server that is known only by its configuration: a script, run by the call that the configuration gives for `evaluate`,
 * says by which selector and at which point the element is. It only observes.
 */
import { z } from 'zod';
import type { MappedCall } from '../profiles/profile.ts';
import { findBy, OTHER_SITE } from './openchrome-find.ts';
import { failed, locate, type Plan, unsupported } from './plan.ts';
import type { Target } from './target.ts';

/** Percent-encoded, because servers put the value into other text, in quotes and with backslashes. */
const ANSWER = /waymark-found:([\w!~*'().%-]+):end/;

const Found = z.object({
  error: z.string().optional(),
  /** Undefined inside a frame or a shadow root, where a selector of the page does not reach. */
  selector: z.string().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
  /** The options of a select: label to value. */
  values: z.record(z.string(), z.string()).optional(),
});
export type Found = z.infer<typeof Found>;

/** The expression; its value is a text with the answer in it. */
export function whereIs(target: unknown): string {
  return `(() => {
  const tell = (found) => 'waymark-found:' + encodeURIComponent(JSON.stringify(found)) + ':end';
  let element;
  try { element = ${findBy(target)}; } catch (error) { return tell({ error: error.message }); }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  let { x, y, width, height } = element.getBoundingClientRect();
  for (let view = element.ownerDocument.defaultView; view.frameElement; view = view.parent) {
    const frame = view.frameElement.getBoundingClientRect();
    x += frame.x + view.frameElement.clientLeft;
    y += frame.y + view.frameElement.clientTop;
  }
  const parts = [];
  for (let at = element; at && at.parentElement; at = at.parentElement) {
    const kin = [...at.parentElement.children].filter((other) => other.localName === at.localName);
    parts.unshift(at.localName + ':nth-of-type(' + (kin.indexOf(at) + 1) + ')');
  }
  const selector = ['html', ...parts].join(' > ');
  const isReached = document.querySelector(selector) === element;
  const values = element.localName === 'select' ? Object.fromEntries([...element.options].slice(0, 300).map((option) => [option.label, option.value])) : undefined;
  return tell({ selector: isReached ? selector : undefined, x: Math.round(x + width / 2), y: Math.round(y + height / 2), values });
})()`;
}

/** Runs the script by the server's call for `evaluate`. */
export function* find(target: Target, evaluate: MappedCall, fill: (expression: string) => MappedCall): Plan<Found> {
  const { tool, args } = fill(whereIs(target));
  const { text } = yield* locate(tool, args);
  const encoded = ANSWER.exec(text)?.[1];
  if (encoded === undefined)
    throw failed('locate_failed', `The answer of ${evaluate.tool} does not hold the value of the script.`);
  const found = Found.parse(JSON.parse(decodeURIComponent(encoded)));
  if (found.error === OTHER_SITE)
    throw unsupported(`The script by which ${evaluate.tool} finds elements does not reach ${OTHER_SITE}.`);
  if (found.error !== undefined) throw failed('element_not_found', found.error);
  return found;
}
