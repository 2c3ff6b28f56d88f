/** Playwright's snapshot: YAML of a fixed shape, `- role "name" [attribute] [ref=e1]: text`, with keys and values quoted where necessary. */
import type { SnapshotNode } from './snapshot.ts';
import { type IndentedNode, treeOf } from './tree.ts';

const LINE = /^( *)- (.*)$/;
const NODE = /^(\S+?)(?: ("(?:[^"\\]|\\.)*"|\/.*\/))?((?: \[[^\]]*\])*)$/;

export function parsePlaywrightSnapshot(result: string): SnapshotNode[] {
  const block = /```yaml\n([\s\S]*?)\n```/.exec(result)?.[1] ?? result;
  return treeOf(block.split('\n').flatMap((line) => nodeOf(line) ?? []));
}

function nodeOf(line: string): IndentedNode | undefined {
  const [, spaces = '', content = ''] = LINE.exec(line) ?? [];
  // "- /url: …" is a property of the node above it.
  if (content === '' || content.startsWith('/')) return undefined;
  const { key, value } = split(content);
  const text = unquoted(value);
  const indent = spaces.length;
  if (key === 'text') return { indent, role: 'text', name: text, text: '' };
  const [, role = '', name = '', attributes = ''] = NODE.exec(key) ?? [];
  if (role === '') return undefined;
  const ref = /\[ref=([^\]]+)\]/.exec(attributes)?.[1];
  return { indent, role, name: unquoted(name), text, ...(ref === undefined ? {} : { ref }) };
}

/** `key: value`, `key:` or `key`; the key may be in single quotes. */
function split(content: string): { key: string; value: string } {
  const quoted = /^'((?:[^']|'')*)'(?::(?: (.*))?)?$/.exec(content);
  if (quoted) return { key: (quoted[1] ?? '').replaceAll("''", "'"), value: quoted[2] ?? '' };
  // Without quotes a key holds no ": ", but its name (in double quotes) may.
  const plain = /^((?:[^":]|"(?:[^"\\]|\\.)*"|:(?! |$))*)(?::(?: (.*))?)?$/.exec(content);
  return { key: plain?.[1] ?? content, value: plain?.[2] ?? '' };
}

function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replaceAll(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/g, (_all, x, u, other) => {
    const code: string | undefined = x ?? u;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[String(other)] ?? String(other);
  });
}
