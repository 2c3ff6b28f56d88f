/**
 * The ref of the element that a selector selects, for versions of @playwright/mcp that take no selector. A script that runs on the element of
 * a ref says whether it is the selected one, or else on which side of it the selected one is. So the search is exact and takes few calls, each
 * of which takes these versions half a second or more.
 */
import { parsePlaywrightSnapshot } from './parse-playwright-snapshot.ts';
import { Picked, pickBySelector } from './pick-by-selector.ts';
import { failed, locate, type Plan, unsupported } from './plan.ts';
import { evaluated, INTO_FRAME } from './playwright-target.ts';
import type { SnapshotNode } from './snapshot.ts';

/** A ref of its snapshots; everything else is a selector. */
const REF = /^(?:f\d+)?e\d+$/;

export function* refOf(target: string): Plan<string> {
  if (REF.test(target)) return target;
  // Back from the server's selector language to the one of canonical actions.
  const [, path = target, number] = /^(.*?)(?: >> nth=(\d+))?$/s.exec(target) ?? [];
  let selector = path.replaceAll(INTO_FRAME, ' >>> ').replaceAll(' >> ', ' >>> ');
  const { text } = yield* locate('browser_snapshot', {});
  let scope = parsePlaywrightSnapshot(text);
  for (;;) {
    const found = yield* inDocument(scope, selector, Number(number ?? 0) + 1);
    if (found.rest === null) return found.ref;
    // The nodes below a frame in the snapshot are its document.
    scope = found.children;
    selector = found.rest;
  }
}

function* inDocument(
  scope: readonly SnapshotNode[],
  selector: string,
  nth: number,
): Plan<{ ref: string; children: SnapshotNode[]; rest: string | null }> {
  let left = [...ofDocument(scope)];
  let words: readonly string[] = [];
  while (left.length > 0) {
    const likely = left.filter(({ name, text }) => words.includes(name) || words.includes(text));
    const candidates = likely.length > 0 ? likely : left;
    const node = candidates[Math.floor(candidates.length / 2)];
    if (!node) break;
    const { text } = yield* locate('browser_evaluate', {
      ref: node.ref,
      element: 'an element of the snapshot',
      function: pickBySelector(selector, nth),
    });
    const answer = Picked.safeParse(evaluated(text));
    if (!answer.success) throw failed('locate_failed', `The page did not say where "${selector}" is.`);
    if ('problem' in answer.data) throw failed('element_not_found', answer.data.problem);
    const { index, rest, side } = answer.data;
    if (index === 0) return { ref: node.ref, children: node.children, rest };
    words = answer.data.words;
    const at = left.indexOf(node);
    left = side === 'before' ? left.slice(0, at) : left.slice(at + 1);
  }
  throw unsupported(
    `The element "${selector}" is on the page, but this version of @playwright/mcp shows it in no snapshot, so it has no ref.`,
  );
}

/** The nodes of one document that have a ref, in page order, without those inside its frames. */
function* ofDocument(nodes: readonly SnapshotNode[]): Generator<SnapshotNode & { ref: string }> {
  for (const node of nodes) {
    if (node.ref !== undefined) yield node as SnapshotNode & { ref: string };
    if (node.role !== 'iframe') yield* ofDocument(node.children);
  }
}
