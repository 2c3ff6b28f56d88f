import { afterEach, expect, test, vi } from 'vitest';
import type { Dom } from '../in-page-dom.ts';
import { makeDigests } from './in-page-digests.ts';

interface TestNode {
  tag: string;
  children: TestNode[];
  parent: TestNode | null;
  next: TestNode | null;
}

function element(tag: string, children: TestNode[] = []): TestNode {
  const made: TestNode = { tag, children, parent: null, next: null };
  for (const [i, child] of children.entries()) {
    child.parent = made;
    child.next = children[i + 1] ?? null;
  }
  return made;
}

/** Digests of a page with so many siblings, and how often it asks for something of a node. */
function digestsOf(siblings: number) {
  let calls = 0;
  const counted =
    <T>(read: (node: TestNode) => T) =>
    (node: unknown): T => {
      calls++;
      return read(node as TestNode);
    };
  const list = element(
    'ul',
    Array.from({ length: siblings }, () => element('li')),
  );
  const body = element('body', [list]);
  const html = element('html', [body]);
  const dom: Partial<Record<keyof Dom, unknown>> = {
    nodeType: counted(() => 1),
    localName: counted(({ tag }) => tag),
    hasAttributes: counted(() => false),
    shadowRoot: counted(() => null),
    firstChild: counted(({ children }) => children[0] ?? null),
    nextSibling: counted(({ next }) => next),
    parentNode: counted(({ parent }) => parent),
    childElementCount: counted(({ children }) => children.length),
    children: counted(({ children }) => children),
    attributes: counted(() => []),
    id: counted(() => ''),
  };
  let changed: ((records: { target: TestNode }[]) => void) | undefined;
  vi.stubGlobal('document', { documentElement: html, body, getElementsByTagName: () => [] });
  vi.stubGlobal('ShadowRoot', class {});
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(take: typeof changed) {
        changed = take;
      }
      observe(): void {}
      takeRecords(): [] {
        return [];
      }
    },
  );
  const digests = makeDigests(dom as Dom);
  return {
    list,
    change: (target: TestNode) => changed?.([{ target }]),
    callsOf(work: (digests: ReturnType<typeof makeDigests>) => unknown): number {
      calls = 0;
      work(digests);
      return calls;
    },
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const look = (digests: ReturnType<typeof makeDigests>) => [digests.refresh(false), digests.whole(), digests.regions()];

test('a look costs in proportion to the number of siblings, the first time and after a change', () => {
  const costs = [2_000, 4_000].map((siblings) => {
    const page = digestsOf(siblings);
    const first = page.callsOf(look);
    const idle = page.callsOf(look);
    const last = page.list.children.at(-1);
    if (last) page.change(last);
    return { first, idle, changed: page.callsOf(look) };
  });
  const [half, whole] = costs;
  expect(whole?.first).toBeLessThan(2.1 * (half?.first ?? 0));
  expect(whole?.changed).toBeLessThan(2.1 * (half?.changed ?? 0));
  // What has not changed is not read again.
  expect(whole?.idle).toBe(half?.idle);
  expect(whole?.idle).toBeLessThan(50);
});
