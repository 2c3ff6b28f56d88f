/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * The part of the witness that lives in every document, in an isolated world of its own: the page can't see or change it.
 *
 * It keeps a hash for each element, made of its children's, and a MutationObserver that drops the hashes on the way from
 * a change up to the root. So the digest of a page costs what has changed since the last one, not what the page holds
 * (5,000 nodes, one changed: well under a millisecond, against 5 to 20 for hashing the page's HTML each time).
 *
 * Blind spots, by construction: pixels (canvas, video, CSS animation), closed shadow roots, hiding by style sheet. A value set by a
 * script without an event is seen, because the controls' values are read each time.
 */

export const WITNESS_WORLD = 'waymark-witness';

/** What one look into one document says. */
export interface FrameReport {
  /** Moves with every mutation, input, or scroll; equal numbers mean that nothing was recomputed. */
  version: number;
  url: string;
  title: string;
  readyState: string;
  /** Digests: of elements, attributes and live form values; of text; of what can be acted on. 64 bits, not for security. */
  dom: string;
  text: string;
  actionable: string;
  elements: number;
  actionables: number;
  textLength: number;
  passwordFields: number;
  windowName: string;
  /** Entries; 0 also where the document has no storage (about:blank). */
  sessionStorage: number;
  historyLength: number;
  /** Digests of the larger parts of the page, by a path that a re-render keeps: what changes here without an action is noise. */
  regions: Record<string, string>;
  /** Asked-for leaves. null: no such element. A string in `problems` says why a leaf could not be read. */
  domText: Record<string, string | null>;
  domCount: Record<string, number>;
  problems: Record<string, string>;
}

export interface FrameRequest {
  domText?: readonly string[];
  domCount?: readonly string[];
  /** Drop all kept hashes first (the last look of an episode). */
  full?: boolean;
}

/**
 * Runs in the page. Nothing here may force a layout (scrollX, offsetTop, innerText where no contract asks): it would cost more than all the rest.
 * It may use nothing from outside itself: its source text is what is sent.
 */
export function installWitness(): void {
  const home = globalThis as unknown as { waymark?: { observe(request: FrameRequest): FrameReport } };
  if (home.waymark) return;

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
  }

  const MAX_DEPTH = 800;
  const MAX_CONTROLS = 5_000;
  const MAX_REGIONS = 64;
  const MAX_TEXT = 262_144;
  const SILENT = new Set(['script', 'style', 'noscript', 'template']);
  const ACTIONABLE_TAGS = new Set(['button', 'select', 'textarea', 'summary', 'option']);
  const ACTIONABLE_ROLES = new Set(
    'button link checkbox radio textbox combobox searchbox switch slider spinbutton tab menuitem menuitemcheckbox menuitemradio option treeitem gridcell'.split(
      ' ',
    ),
  );

  let version = 1;
  let hashes = new WeakMap<Node, Hash>();
  const roots = new Set<ShadowRoot>();
  /** Custom elements that may attach a shadow root later: that makes no mutation record. */
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

  /** A node without a hash has no ancestor with one: hashes are made bottom-up and dropped bottom-up. */
  function forget(start: Node): void {
    let node: Node | null = start.nodeType === 1 || start.nodeType === 11 ? start : start.parentNode;
    while (node && hashes.delete(node)) node = node instanceof ShadowRoot ? node.host : node.parentNode;
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
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href');
    if (tag === 'input') return element.getAttribute('type') !== 'hidden';
    if (ACTIONABLE_TAGS.has(tag)) return true;
    const role = element.getAttribute('role');
    if (role && ACTIONABLE_ROLES.has(role)) return true;
    if (element.hasAttribute('onclick')) return true;
    const editable = element.getAttribute('contenteditable');
    if (editable !== null && editable !== 'false') return true;
    const tabindex = element.getAttribute('tabindex');
    return tabindex !== null && Number(tabindex) >= 0;
  }

  function hashOf(node: Element | ShadowRoot, depth: number): Hash {
    const kept = hashes.get(node);
    if (kept) return kept;
    const hash: Hash = { d1: 17, d2: 31, t1: 7, t2: 13, a1: 5, a2: 3, elements: 0, actionables: 0, textLength: 0 };
    const element = node.nodeType === 1 ? (node as Element) : null;
    const tag = element ? element.localName : '#shadow';
    const tagHash = hashName(tag);
    hash.d1 = mix(hash.d1, tagHash);
    hash.d2 = mix(hash.d2, tagHash + 1);
    if (element) {
      hash.elements = 1;
      // Named attributes in any order are the same element: their hashes are summed.
      let sum1 = 0;
      let sum2 = 0;
      const attributes = element.attributes;
      for (let i = 0; i < attributes.length; i++) {
        const attribute = attributes[i] as Attr;
        const name = hashName(attribute.name);
        sum1 = (sum1 + mix(name, hashText(attribute.value, 0x2545f491))) | 0;
        sum2 = (sum2 + mix(name + 7, hashText(attribute.value, 0x1b873593))) | 0;
      }
      hash.d1 = mix(hash.d1, sum1);
      hash.d2 = mix(hash.d2, sum2);
    }
    const silent =
      SILENT.has(tag) || (element !== null && (element.hasAttribute('hidden') || element.hasAttribute('inert')));
    if (depth < MAX_DEPTH) {
      const shadow = element?.shadowRoot;
      if (shadow) {
        if (!roots.has(shadow)) {
          roots.add(shadow);
          observer.observe(shadow, watched);
        }
        add(hash, hashOf(shadow, depth + 1), silent);
      } else if (element && tag.includes('-')) maybeHosts.add(element);
      for (let child = node.firstChild; child; child = child.nextSibling) {
        if (child.nodeType === 1) add(hash, hashOf(child as Element, depth + 1), silent);
        else if (child.nodeType === 3) addText(hash, (child as Text).data, silent);
      }
    }
    if (element && !silent && isActionable(element, tag)) {
      // Its own face (tag, type, name, state) and its text: what a snapshot of refs would name it by.
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
        const value = element.getAttribute(name);
        if (value !== null) face = mix(face + hashName(name), hashText(value, 0x7feb352d));
      }
      hash.a1 = mix(mix(hash.a1, face), hash.t1);
      hash.a2 = mix(mix(hash.a2, face + 1), hash.t2);
      hash.actionables++;
    }
    hashes.set(node, hash);
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

  /** Values and checks live outside the DOM's attributes: read each time, so that a value set by a script is seen as well. */
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

  /** The parts of the page, opened one level at a time while there is room: `main/ul.2` and the like. */
  function regionsOf(start: Element): Record<string, string> {
    const regions: Record<string, string> = {};
    let level: [string, Element][] = [['body', start]];
    while (level.length > 0) {
      const next: [string, Element][] = [];
      for (const [path, element] of level) {
        const hash = hashOf(element, 0);
        regions[path] = hex(hash.d1, hash.d2);
        if (element.childElementCount === 0 || element.childElementCount > MAX_REGIONS) continue;
        const seen = new Map<string, number>();
        for (const child of element.children) {
          const name = child.id ? `#${child.id}` : child.localName;
          const nth = (seen.get(name) ?? 0) + 1;
          seen.set(name, nth);
          next.push([`${path}/${name}${nth > 1 ? `.${nth}` : ''}`, child]);
        }
      }
      if (Object.keys(regions).length + next.length > MAX_REGIONS) break;
      level = next;
    }
    return regions;
  }

  function sessionEntries(): number {
    try {
      return document.URL === 'about:blank' ? 0 : sessionStorage.length;
    } catch {
      return 0;
    }
  }

  /** `a >>> b`: b inside the open shadow root, or the same-origin frame, of the first a. */
  function scopeOf(selector: string): { scope: ParentNode | null; last: string; problem?: string } {
    const hops = selector.split('>>>').map((hop) => hop.trim());
    let scope: ParentNode | null = document;
    for (const hop of hops.slice(0, -1)) {
      const host: Element | null = scope?.querySelector(hop) ?? null;
      if (!host) return { scope: null, last: '' };
      if (host instanceof HTMLIFrameElement || host.localName === 'iframe' || host.localName === 'frame') {
        scope = (host as HTMLIFrameElement).contentDocument;
        if (!scope) return { scope: null, last: '', problem: `"${hop}" is a frame of another origin` };
      } else {
        scope = host.shadowRoot;
        if (!scope) return { scope: null, last: '', problem: `"${hop}" has no open shadow root` };
      }
    }
    return { scope, last: hops[hops.length - 1] ?? '' };
  }

  function observe(request: FrameRequest): FrameReport {
    take(observer.takeRecords());
    for (const host of maybeHosts) {
      if (host.shadowRoot) {
        maybeHosts.delete(host);
        forget(host);
        version++;
      } else if (!host.isConnected) maybeHosts.delete(host);
    }
    for (const root of roots) if (!root.host.isConnected) roots.delete(root);
    if (request.full) hashes = new WeakMap();

    const element = document.documentElement;
    const hash = element ? hashOf(element, 0) : undefined;
    const [c1, c2, passwordFields] = controlState();
    const report: FrameReport = {
      version,
      url: document.URL,
      title: document.title,
      readyState: document.readyState,
      dom: hash ? hex(mix(hash.d1, c1), mix(hash.d2, c2)) : 'empty',
      text: hash ? hex(hash.t1, hash.t2) : 'empty',
      actionable: hash ? hex(hash.a1, hash.a2) : 'empty',
      elements: hash?.elements ?? 0,
      actionables: hash?.actionables ?? 0,
      textLength: hash?.textLength ?? 0,
      passwordFields,
      windowName: window.name,
      sessionStorage: sessionEntries(),
      historyLength: history.length,
      regions: document.body ? regionsOf(document.body) : {},
      domText: {},
      domCount: {},
      problems: {},
    };
    for (const selector of request.domText ?? []) {
      try {
        const { scope, last, problem } = scopeOf(selector);
        if (problem) report.problems[selector] = problem;
        const found = scope?.querySelector(last) as HTMLElement | null | undefined;
        const text = found ? (found.innerText ?? found.textContent ?? '') : null;
        if (text !== null && text.length > MAX_TEXT)
          report.problems[selector] = `its text is cut at ${MAX_TEXT} characters`;
        report.domText[selector] = text === null ? null : text.slice(0, MAX_TEXT);
      } catch (error) {
        report.problems[selector] = String(error);
      }
    }
    for (const selector of request.domCount ?? []) {
      try {
        const { scope, last, problem } = scopeOf(selector);
        if (problem) report.problems[selector] = problem;
        report.domCount[selector] = scope ? scope.querySelectorAll(last).length : 0;
      } catch (error) {
        report.problems[selector] = String(error);
      }
    }
    return report;
  }

  home.waymark = { observe };
}

export const WITNESS_SOURCE = `(${installWitness.toString()})()`;
