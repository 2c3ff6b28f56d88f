/** Parses indented lines into a tree. */
import type { SnapshotNode } from './snapshot.ts';

export interface IndentedNode extends Omit<SnapshotNode, 'children' | 'parent'> {
  indent: number;
}

export function treeOf(lines: Iterable<IndentedNode>): SnapshotNode[] {
  const roots: SnapshotNode[] = [];
  const open: { indent: number; node: SnapshotNode }[] = [];
  for (const { indent, ...own } of lines) {
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.node;
    const node: SnapshotNode = { ...own, ...(parent ? { parent } : {}), children: [] };
    (parent?.children ?? roots).push(node);
    open.push({ indent, node });
  }
  return roots;
}
