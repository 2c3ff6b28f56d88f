/** The page in a server's snapshot, and the search for one element in it. */
import { failed } from './plan.ts';
import { describeTarget, type Target } from './target.ts';

export interface SnapshotNode {
  /** The server's name for the element; some nodes have none. */
  ref?: string;
  role: string;
  /** The accessible name, or the text of a text node. */
  name: string;
  /** Text next to the name. */
  text: string;
  parent?: SnapshotNode;
  children: SnapshotNode[];
}

const ACTIONABLE = new Set(
  'button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio treeitem disclosuretriangle'.split(
    ' ',
  ),
);

export function* walk(nodes: readonly SnapshotNode[]): Generator<SnapshotNode> {
  for (const node of nodes) {
    yield node;
    yield* walk(node.children);
  }
}

interface Candidate {
  node: SnapshotNode;
  /** Lower is better: equal before contained, actionable before not actionable. */
  rank: number;
}

/** Finds the one node for a role and name, or for a text, by the same rules as the embedded server. */
export function findInSnapshot(nodes: readonly SnapshotNode[], target: Target): SnapshotNode & { ref: string } {
  const found = target.role === undefined ? byText(nodes, target) : byRole(nodes, target);
  const chosen = choose(found, target);
  if (chosen.ref === undefined) {
    throw failed(
      'element_not_found',
      `The ${describeTarget(target)} is in the snapshot, but the server gives it no ref.`,
    );
  }
  return { ...chosen, ref: chosen.ref };
}

function choose(found: Candidate[], target: Target): SnapshotNode {
  const said = describeTarget(target);
  // The sort is stable, so equal nodes stay in page order.
  const sorted = found.toSorted((a, b) => a.rank - b.rank);
  const { nth } = target;
  if (nth !== undefined) {
    const node = sorted[nth - 1]?.node;
    if (node) return node;
    throw failed('element_not_found', `There are ${found.length} of ${said}, and number ${nth} was requested.`);
  }
  const [best, second] = sorted;
  if (!best) throw failed('element_not_found', `There is no ${said} in the server's snapshot of the page.`);
  if (second?.rank === best.rank) {
    const count = sorted.filter(({ rank }) => rank === best.rank).length;
    throw failed('ambiguous', `${count} elements fit ${said}; use nth.`);
  }
  return best.node;
}

function byRole(nodes: readonly SnapshotNode[], { role = '', name, exact }: Target): Candidate[] {
  const wantedRole = plainRole(role);
  const wanted = name === undefined ? undefined : clean(name);
  const found: Candidate[] = [];
  for (const node of walk(nodes)) {
    if (plainRole(node.role) !== wantedRole) continue;
    const own = clean(node.name);
    if (wanted === undefined || fits(own, wanted, exact)) found.push({ node, rank: own === wanted ? 0 : 1 });
  }
  return found;
}

function byText(nodes: readonly SnapshotNode[], { text = '', exact }: Target): Candidate[] {
  const wanted = clean(text);
  const found = new Map<SnapshotNode, number>();
  for (const node of walk(nodes)) {
    const own = [clean(node.name), clean(node.text)].filter((each) => each !== '' && fits(each, wanted, exact));
    if (own.length === 0) continue;
    const goal = actionable(node);
    const rank = (own.includes(wanted) ? 0 : 2) + (goal ? 0 : 1);
    const at = goal ?? node;
    found.set(at, Math.min(rank, found.get(at) ?? rank));
  }
  // A name repeats the text of the nodes inside, so an inner node that matches as well is the one that is meant.
  const inner = [...found].filter(([node]) => ![...walk(node.children)].some((child) => found.has(child)));
  return inner.map(([node, rank]) => ({ node, rank }));
}

/** The button around the text, or the node itself when it is a button. */
function actionable(node: SnapshotNode): SnapshotNode | undefined {
  for (let at: SnapshotNode | undefined = node; at; at = at.parent) {
    if (ACTIONABLE.has(plainRole(at.role))) return at;
  }
  return undefined;
}

function fits(own: string, wanted: string, exact: boolean | undefined): boolean {
  return exact === true ? own === wanted : own.toLowerCase().includes(wanted.toLowerCase());
}

function plainRole(role: string): string {
  const lower = role.toLowerCase();
  return lower === 'img' ? 'image' : lower;
}

function clean(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
