/** The snapshot of chrome-devtools-mcp: `uid=1_2 role "name" attribute="value" flag`, two spaces per level. Names are not escaped. */
import type { SnapshotNode } from './snapshot.ts';
import { type IndentedNode, treeOf } from './tree.ts';

/** The name ends where only attributes follow. A node without a role is text. */
const NODE =
  /^( *)uid=(\S+)(?: ([A-Za-z][\w-]*))?(?: "([\s\S]*?)")?(?: [A-Za-z]+(?:="[^"]*")?)*(?: \[selected in [^\]]*\])?$/;

export function parseDevtoolsSnapshot(result: string): SnapshotNode[] {
  return treeOf(logicalLines(result).flatMap((line) => nodeOf(line) ?? []));
}

/** A name may hold line breaks, so a line that does not start like a node continues the last one. */
function logicalLines(result: string): string[] {
  const lines: string[] = [];
  for (const line of result.split('\n')) {
    if (/^ *uid=\S/.test(line)) lines.push(line);
    else if (lines.length > 0 && line.trim() !== '') lines.push(`${lines.pop()}\n${line}`);
  }
  return lines;
}

function nodeOf(line: string): IndentedNode | undefined {
  const match = NODE.exec(line);
  if (!match) return undefined;
  const [, spaces = '', ref = '', role = 'text', name = ''] = match;
  // In a verbose snapshot these are pieces of lines. They repeat the text above them, under one uid.
  if (role === 'InlineTextBox') return undefined;
  return { indent: spaces.length, ref, role, name, text: '' };
}
