/** The point of a target in the viewport, for servers whose own names of elements are not used: a script in the page finds the element. */
import type { ToolResult } from '../connect/tool-client.ts';
import { boxOf, findBy, OTHER_SITE } from './openchrome-find.ts';
import { type Plan, unsupported } from './plan.ts';
import { describeTarget, type Target } from './target.ts';

const BOX = /\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*([\d.]+)\s*,\s*([\d.]+)\s*\]/;

/** `run` runs a script in the page and gives the server's answer; a script that fails ends the plan there. */
export function* pointByScript(
  server: string,
  target: Target,
  offset: readonly [number, number] | undefined,
  run: (code: string) => Plan<ToolResult>,
): Plan<[number, number]> {
  const [dx, dy] = offset ?? [0, 0];
  if (target.at) return [target.at[0] + dx, target.at[1] + dy];
  if (target.ref !== undefined)
    throw unsupported(`${server} is told refs in calls of its own; write this step as one.`);
  const { texts } = yield* run(boxOf(findBy(target)));
  const [text = ''] = texts;
  if (text.includes(OTHER_SITE)) throw unsupported(`${server}’s scripts do not reach into a frame of another site.`);
  const numbers = BOX.exec(text)?.slice(1).map(Number);
  // A missing element is an error of the script, so any other answer is a matter of the server and not of the page.
  if (!numbers) {
    const said = JSON.stringify(text.slice(0, 80));
    throw unsupported(`${server} answered the search for the ${describeTarget(target)} with ${said}.`);
  }
  const [x = 0, y = 0, width = 0, height = 0] = numbers;
  return offset ? [x + dx, y + dy] : [x + width / 2, y + height / 2];
}
