/**
 * How a call to chrome-devtools-mcp names an element: only by a uid of its snapshot. A selector is therefore resolved
 * exactly: a script gets the elements of the uids and returns which of them the selector finds, frame by frame.
 */
import { BOX_OF } from './in-page.ts';
import { parseDevtoolsSnapshot } from './parse-devtools-snapshot.ts';
import { Picked, pickBySelector } from './pick-by-selector.ts';
import { failed, locate, type Plan, unsupported } from './plan.ts';
import { findInSnapshot, type SnapshotNode } from './snapshot.ts';
import { describeTarget, type Target } from './target.ts';

/** The most uids per call. */
const CHUNK = 200;
/** Up to this many are compared directly, without reading their names first. */
const FEW = 40;

export function* uid(page: number, target: Target): Plan<string> {
  const [only = ''] = yield* uids(page, [target]);
  return only;
}

/** All uids come from one snapshot, because the next snapshot drops the uids of elements that it does not show. */
export function* uids(page: number, targets: readonly Target[]): Plan<string[]> {
  // Elements without semantics (a list item, a plain box) are only in the verbose snapshot.
  for (const verbose of [false, true]) {
    const found = yield* inSnapshot(page, targets, verbose);
    if (found) return found;
  }
  const said = targets.map(describeTarget).join(' or ');
  throw unsupported(`The ${said} is on the page, but chrome-devtools-mcp shows it in no snapshot, so it has no uid.`);
}

function* inSnapshot(page: number, targets: readonly Target[], verbose: boolean): Plan<string[] | undefined> {
  let nodes: SnapshotNode[] | undefined;
  const found: string[] = [];
  for (const target of targets) {
    if (target.at) throw unsupported('chrome-devtools-mcp does this to an element, not at a point.');
    if (target.ref !== undefined) {
      found.push(target.ref);
      continue;
    }
    nodes ??= yield* snapshot(page, verbose);
    const ref =
      target.selector === undefined ? findInSnapshot(nodes, target).ref : yield* bySelector(page, nodes, target);
    if (ref === undefined) return undefined;
    found.push(ref);
  }
  return found;
}

function* snapshot(page: number, verbose: boolean): Plan<SnapshotNode[]> {
  const { text } = yield* locate('take_snapshot', { pageId: page, ...(verbose ? { verbose } : {}) });
  return parseDevtoolsSnapshot(text);
}

/** The uid of the selected element; undefined when the element exists but is in no snapshot. */
function* bySelector(page: number, nodes: SnapshotNode[], target: Target): Plan<string | undefined> {
  let selector = target.selector ?? '';
  let scope = nodes;
  for (;;) {
    const found = yield* inDocument(page, scope, selector, target.nth ?? 1);
    if (!found) return undefined;
    if (found.rest === null) return found.node.ref;
    // The nodes below a frame in the snapshot are its document.
    scope = found.node.children;
    selector = found.rest;
  }
}

function* inDocument(
  page: number,
  scope: readonly SnapshotNode[],
  selector: string,
  nth: number,
): Plan<{ node: SnapshotNode; rest: string | null } | undefined> {
  let left = [...ofDocument(scope)].filter(({ ref, role }) => ref !== undefined && role !== 'text');
  // Each element costs the server a round trip, so on a large page the element's name is read first.
  let part = left.length > FEW ? [] : left;
  for (;;) {
    const args = part.map(({ ref }) => ref);
    const script = { pageId: page, function: pickBySelector(selector, nth), args, waitForStableDom: false };
    const { text } = yield* locate('evaluate_script', script);
    const answer = Picked.safeParse(returned(text));
    if (!answer.success) throw failed('locate_failed', `The page did not say where "${selector}" is.`);
    if ('problem' in answer.data) throw failed('element_not_found', answer.data.problem);
    const { index, rest, words } = answer.data;
    const node = part[index];
    if (node) return { node, rest };
    if (part.length === 0) left = likelyFirst(left, words);
    else left = left.slice(part.length);
    if (left.length === 0) return undefined;
    part = left.slice(0, part.length === 0 ? FEW : CHUNK);
  }
}

function likelyFirst(nodes: readonly SnapshotNode[], words: readonly string[]): SnapshotNode[] {
  const isLikely = ({ name }: SnapshotNode): boolean =>
    words.includes(name.replaceAll(/\s+/g, ' ').trim().slice(0, 200));
  return [...nodes.filter(isLikely), ...nodes.filter((node) => !isLikely(node))];
}

/** The nodes of one document, without those inside its frames. */
function* ofDocument(nodes: readonly SnapshotNode[]): Generator<SnapshotNode> {
  for (const node of nodes) {
    // The document itself is not an element.
    if (node.role !== 'RootWebArea') yield node;
    if (node.role.toLowerCase() !== 'iframe') yield* ofDocument(node.children);
  }
}

/** The point of a target in the viewport: the middle of the element unless there is an offset. */
export function* point(
  page: number,
  target: Target,
  offset?: readonly [number, number],
): Plan<{ x: number; y: number }> {
  const [dx, dy] = offset ?? [0, 0];
  if (target.at) return { x: target.at[0] + dx, y: target.at[1] + dy };
  const args = [yield* uid(page, target)];
  const { text } = yield* locate('evaluate_script', { pageId: page, function: BOX_OF, args, waitForStableDom: false });
  const box = returned(text);
  if (!Array.isArray(box)) {
    throw unsupported(
      `chrome-devtools-mcp can't reach a point inside a frame of another origin (${describeTarget(target)}).`,
    );
  }
  const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
  return offset ? { x: x + dx, y: y + dy } : { x: x + width / 2, y: y + height / 2 };
}

/** Reads the return value of evaluate_script. */
export function returned(text: string): unknown {
  const json = /```json\n([\s\S]*?)\n```/.exec(text)?.[1];
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    // The server returned something other than a value.
    return undefined;
  }
}
