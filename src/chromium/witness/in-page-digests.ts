/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Runs in the page. Computes the digests of a document at a cost that depends on what has changed, not on the size of the document.
 *
 * The hash of an element is made of its children's hashes, and a MutationObserver drops the hashes from a change up to the root
 * (5,000 nodes, one changed: well under a millisecond, against 5 to 20 for hashing the page's HTML each time).
 *
 * Not covered, by construction: pixels (canvas, video, CSS animation), closed shadow roots, hiding by style sheet, and elements deeper than
 * 800 levels. A value set by a script without an event is seen, because the controls' values are read each time.
 */

import type { Dom } from '../in-page-dom.ts';
import type { FrameReport } from './frame-report.ts';

export interface Digests {
  /** Processes the changes since the last call; `full` drops all hashes first. */
  refresh(full: boolean): void;
  version(): number;
  whole(): Pick<
    FrameReport,
    'dom' | 'text' | 'actionable' | 'elements' | 'actionables' | 'textLength' | 'passwordFields'
  >;
  regions(): Record<string, string>;
}

/** Its source text is sent to the page, so it must not use anything from outside itself, nor anything that forces a layout. */
export function makeDigests(dom: Dom): Digests {
  const { attributes, childElementCount, children, firstChild, getAttribute, hasAttribute, hasAttributes, id } = dom;
  const { isConnected, localName, nextSibling, nodeType, parentNode, shadowRoot } = dom;

  interface Hash {
    d1: number;
    d2: number;
    t1: number;
    t2: number;
    a1: number;
    a2: number;
    elements: number;
    actionables: number;
    textLength: number;
    generation: number;
  }

  /** In the isolated world a node can hold its hash itself. A WeakMap of 100,000 nodes costs more than everything else together. */
  const HASH = Symbol('hash');
  type Hashed = Node & { [HASH]?: Hash | undefined };

  const MAX_DEPTH = 800;
  const MAX_CONTROLS = 5_000;
  const MAX_REGIONS = 64;
  const SILENT = new Set(['script', 'style', 'noscript', 'template']);
  const ACTIONABLE_TAGS = new Set(['button', 'select', 'textarea', 'summary', 'option']);
  /** Without any attribute, too. */
  const ALWAYS_ACTIONABLE = new Set([...ACTIONABLE_TAGS, 'input']);
  const ACTIONABLE_ROLES = new Set(
    'button link checkbox radio textbox combobox searchbox switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio option treeitem gridcell'.split(
      ' ',
    ),
  );

  let version = 1;
  /** Hashes of an earlier generation are out of date. */
  let generation = 1;
  const roots = new Set<ShadowRoot>();
  /** Custom elements that may attach a shadow root later, which makes no mutation record. */
  const maybeHosts = new Set<Element>();

  const observer = new MutationObserver(take);
  const watched = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document, watched);
  const bump = (): void => {
    version++;
  };
  for (const type of ['input', 'change', 'scroll', 'toggle'])
    addEventListener(type, bump, { capture: true, passive: true });

  function take(records: MutationRecord[]): void {
    if (records.length === 0) return;
    version++;
    for (const record of records) forget(record.target);
  }

  /** A node without a hash has no ancestor with one, because hashes are computed and dropped from the bottom up. */
  function forget(start: Node): void {
    const type = nodeType(start);
    let node: Node | null = type === 1 || type === 11 ? start : parentNode(start);
    while (node && drop(node)) node = node instanceof ShadowRoot ? node.host : parentNode(node);
  }

  /** Whether there was a hash. */
  function drop(node: Hashed): boolean {
    const hadHash = node[HASH]?.generation === generation;
    node[HASH] = undefined;
    return hadHash;
  }

  function mix(hash: number, value: number): number {
    const x = Math.imul(hash ^ value, 0x9e3779b1);
    return (x << 13) | (x >>> 19);
  }
  function hashText(text: string, seed: number): number {
    let hash = seed ^ text.length;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    return hash ^ (hash >>> 15);
  }
  const names = new Map<string, number>();
  function hashName(name: string): number {
    let hash = names.get(name);
    if (hash === undefined) {
      hash = hashText(name, 0x811c9dc5);
      if (names.size < 2_000) names.set(name, hash);
    }
    return hash;
  }

  function isActionable(element: Element, tag: string): boolean {
    if (tag === 'a' || tag === 'area') return hasAttribute(element, 'href');
    if (tag === 'input') return getAttribute(element, 'type') !== 'hidden';
    if (ACTIONABLE_TAGS.has(tag)) return true;
    const role = getAttribute(element, 'role');
    if (role && ACTIONABLE_ROLES.has(role)) return true;
    if (hasAttribute(element, 'onclick')) return true;
    const editable = getAttribute(element, 'contenteditable');
    if (editable !== null && editable !== 'false') return true;
    const tabindex = getAttribute(element, 'tabindex');
    return tabindex !== null && Number(tabindex) >= 0;
  }

  function hashOf(node: Element | ShadowRoot, depth: number): Hash {
    const kept = (node as Hashed)[HASH];
    if (kept?.generation === generation) return kept;
    const hash: Hash = {
      d1: 17,
      d2: 31,
      t1: 7,
      t2: 13,
      a1: 5,
      a2: 3,
      elements: 0,
      actionables: 0,
      textLength: 0,
      generation,
    };
    const element = nodeType(node) === 1 ? (node as Element) : null;
    const tag = element ? localName(element) : '#shadow';
    const tagHash = hashName(tag);
    hash.d1 = mix(hash.d1, tagHash);
    hash.d2 = mix(hash.d2, tagHash + 1);
    // Most elements have no attributes, and their list costs more than this question.
    const hasAny = element !== null && hasAttributes(element);
    if (element) {
      hash.elements = 1;
      // The order of attributes does not matter, so their hashes are summed.
      let sum1 = 0;
      let sum2 = 0;
      const given = hasAny ? attributes(element) : [];
      for (let i = 0; i < given.length; i++) {
        const attribute = given[i] as Attr;
        const name = hashName(attribute.name);
        sum1 = (sum1 + mix(name, hashText(attribute.value, 0x2545f491))) | 0;
        sum2 = (sum2 + mix(name + 7, hashText(attribute.value, 0x1b873593))) | 0;
      }
      hash.d1 = mix(hash.d1, sum1);
      hash.d2 = mix(hash.d2, sum2);
    }
    const silent = SILENT.has(tag) || (hasAny && (hasAttribute(element, 'hidden') || hasAttribute(element, 'inert')));
    if (depth < MAX_DEPTH) {
      const shadow = element ? shadowRoot(element) : null;
      if (shadow) {
        if (!roots.has(shadow)) {
          roots.add(shadow);
          observer.observe(shadow, watched);
        }
        add(hash, hashOf(shadow, depth + 1), silent);
      } else if (element && tag.includes('-')) maybeHosts.add(element);
      for (let child = firstChild(node); child; child = nextSibling(child)) {
        const type = nodeType(child);
        if (type === 1) add(hash, hashOf(child as Element, depth + 1), silent);
        else if (type === 3) addText(hash, (child as Text).data, silent);
      }
    }
    if (element && !silent && (hasAny || ALWAYS_ACTIONABLE.has(tag)) && isActionable(element, tag)) {
      // The element's own properties (tag, type, name, state) and its text, by which a snapshot of refs would name it.
      let face = tagHash;
      for (const name of [
        'type',
        'role',
        'name',
        'aria-label',
        'placeholder',
        'href',
        'title',
        'value',
        'disabled',
        'aria-disabled',
      ]) {
        const value = getAttribute(element, name);
        if (value !== null) face = mix(face + hashName(name), hashText(value, 0x7feb352d));
      }
      hash.a1 = mix(mix(hash.a1, face), hash.t1);
      hash.a2 = mix(mix(hash.a2, face + 1), hash.t2);
      hash.actionables++;
    }
    (node as Hashed)[HASH] = hash;
    return hash;
  }

  function add(hash: Hash, child: Hash, silent: boolean): void {
    hash.d1 = mix(hash.d1, child.d1);
    hash.d2 = mix(hash.d2, child.d2);
    hash.elements += child.elements;
    if (silent) return;
    if (child.textLength > 0) {
      hash.t1 = mix(hash.t1, child.t1);
      hash.t2 = mix(hash.t2, child.t2);
      hash.textLength += child.textLength;
    }
    if (child.actionables > 0) {
      hash.a1 = mix(hash.a1, child.a1);
      hash.a2 = mix(hash.a2, child.a2);
      hash.actionables += child.actionables;
    }
  }

  function addText(hash: Hash, data: string, silent: boolean): void {
    hash.d1 = mix(hash.d1, hashText(data, 0x811c9dc5));
    hash.d2 = mix(hash.d2, hashText(data, 0x345fdfa7));
    if (silent) return;
    const text = data.trim();
    if (text === '') return;
    hash.t1 = mix(hash.t1, hashText(text, 0x811c9dc5));
    hash.t2 = mix(hash.t2, hashText(text, 0x345fdfa7));
    hash.textLength += text.length;
  }

  /** Values and check marks are not attributes. They are read each time, so that a value set by a script is seen as well. */
  function controlState(): [number, number, number] {
    let h1 = 11;
    let h2 = 23;
    let passwords = 0;
    let count = 0;
    const scopes: (Document | ShadowRoot)[] = [document, ...roots];
    for (const scope of scopes) {
      const controls =
        scope === document
          ? [
              document.getElementsByTagName('input'),
              document.getElementsByTagName('textarea'),
              document.getElementsByTagName('select'),
            ]
          : [scope.querySelectorAll('input,textarea,select')];
      for (const list of controls) {
        for (let i = 0; i < list.length && count < MAX_CONTROLS; i++, count++) {
          const control = list[i] as HTMLInputElement & HTMLSelectElement;
          if (control.getAttribute('type') === 'password') passwords++;
          let state = hashText(control.value, control.checked ? 77 : 11);
          if (control.multiple && control.selectedOptions)
            for (const option of control.selectedOptions) state = mix(state, option.index);
          h1 = mix(h1, state);
          h2 = mix(h2, state ^ 0x5bd1e995);
        }
      }
    }
    return [h1, h2, passwords];
  }

  function hex(h1: number, h2: number): string {
    return (h1 >>> 0).toString(16).padStart(8, '0') + (h2 >>> 0).toString(16).padStart(8, '0');
  }

  /**
   * Divides the page into disjoint parts, by a path that a re-render keeps (`body/main/ul.2`). Each level is expanded up to a limit, and what an expanded
   * element has itself (attributes, text between its children) is listed under its path with `@`.
   */
  function regionsOf(start: Element): Record<string, string> {
    const regions: Record<string, string> = {};
    let closed: [string, Element][] = [['body', start]];
    let count = 1;
    for (;;) {
      const opened: [string, Element][] = [];
      const next: [string, Element][] = [];
      for (const entry of closed) {
        const children = childElementCount(entry[1]);
        if (children > 0 && count + children + 1 <= MAX_REGIONS) {
          opened.push(entry);
          count += children;
        } else next.push(entry);
      }
      if (opened.length === 0) break;
      for (const [path, element] of opened) {
        regions[`${path}@`] = ownOf(element);
        const seen = new Map<string, number>();
        for (const child of children(element)) {
          const given = id(child);
          const name = given ? `#${given}` : localName(child);
          const nth = (seen.get(name) ?? 0) + 1;
          seen.set(name, nth);
          next.push([`${path}/${name}${nth > 1 ? `.${nth}` : ''}`, child]);
        }
      }
      closed = next;
    }
    for (const [path, element] of closed) {
      const hash = hashOf(element, 0);
      regions[path] = hex(hash.d1, hash.d2);
    }
    return regions;
  }

  function ownOf(element: Element): string {
    let hash = 19;
    for (const attribute of attributes(element))
      hash = (hash + mix(hashName(attribute.name), hashText(attribute.value, 0x2545f491))) | 0;
    for (let child = firstChild(element); child; child = nextSibling(child)) {
      if (nodeType(child) === 3) hash = mix(hash, hashText((child as Text).data, 0x811c9dc5));
    }
    return hex(hash, 0);
  }

  function refresh(full: boolean): void {
    take(observer.takeRecords());
    for (const host of maybeHosts) {
      if (shadowRoot(host)) {
        maybeHosts.delete(host);
        forget(host);
        version++;
      } else if (!isConnected(host)) maybeHosts.delete(host);
    }
    for (const root of roots) if (!isConnected(root.host)) roots.delete(root);
    if (full) generation++;
  }

  function whole(): ReturnType<Digests['whole']> {
    const element = document.documentElement;
    const hash = element ? hashOf(element, 0) : undefined;
    const [c1, c2, passwordFields] = controlState();
    return {
      dom: hash ? hex(mix(hash.d1, c1), mix(hash.d2, c2)) : 'empty',
      text: hash ? hex(hash.t1, hash.t2) : 'empty',
      actionable: hash ? hex(hash.a1, hash.a2) : 'empty',
      elements: hash?.elements ?? 0,
      actionables: hash?.actionables ?? 0,
      textLength: hash?.textLength ?? 0,
      passwordFields,
    };
  }

  /** Typed values and check marks are not in any element's markup, so they form a separate part. */
  function regions(): Record<string, string> {
    const [c1, c2] = controlState();
    return document.body ? { ...regionsOf(document.body), controls: hex(c1, c2) } : {};
  }

  return { refresh, version: () => version, whole, regions };
}
