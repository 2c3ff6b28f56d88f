/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Finds elements by selector, by role and name, or by text, in all open shadow roots and frames of this document's origin. */
import type { InputActions, Match, MatchAnswer, Target } from './input-actions.ts';

/** Runs in the page, so it must not use anything from outside itself. */
export function installLocate(actions: InputActions): void {
  const { children, closest, innerText, localName, querySelector, shadowRoot, textContent } = actions.dom;
  const MAX_MATCHES = 10;
  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title']);

  interface Found {
    element: Element;
    rank: number;
  }

  function bySelector(selector: string): {
    found: Found[];
    foreign: MatchAnswer['foreign'];
    problem?: MatchAnswer['problem'];
  } {
    const hops = selector.split('>>>').map((hop) => hop.trim());
    let scope: ParentNode = document;
    for (const [i, hop] of hops.entries()) {
      let list: NodeListOf<Element>;
      try {
        list = scope.querySelectorAll(hop);
      } catch {
        // The browser throws for an invalid selector; the result reports it.
        return {
          found: [],
          foreign: [],
          problem: { kind: 'bad_argument', message: `"${hop}" is not a valid CSS selector.` },
        };
      }
      if (i === hops.length - 1) return { found: [...list].map((element) => ({ element, rank: 0 })), foreign: [] };
      const host = list[0];
      if (!host) return { found: [], foreign: [] };
      const inner: ParentNode | null = shadowRoot(host) ?? actions.frameDocument(host);
      if (inner) {
        scope = inner;
        continue;
      }
      const rest = hops.slice(i + 1).join(' >>> ');
      if (actions.isFrame(host))
        return { found: [], foreign: [{ number: actions.numberOf(host), target: { selector: rest } }] };
      const message = `"${hop}" has no open shadow root and is not a frame, so ">>>" leads nowhere.`;
      return { found: [], foreign: [], problem: { kind: 'not_found', message } };
    }
    return { found: [], foreign: [] };
  }

  function matches(text: string, wanted: string, exact: boolean): boolean {
    return exact ? text === wanted : text.toLowerCase().includes(wanted.toLowerCase());
  }

  function byRole(
    roots: ParentNode[],
    target: { role: string; name?: string | undefined; exact?: boolean | undefined },
  ): Found[] {
    const wanted = target.name === undefined ? undefined : actions.clean(target.name);
    const role = target.role.toLowerCase() === 'img' ? 'image' : target.role.toLowerCase();
    const found: Found[] = [];
    for (const root of roots) {
      for (const element of root.querySelectorAll('*')) {
        if (actions.role(element) !== role || closest(element, '[aria-hidden=true]')) continue;
        if (wanted === undefined) found.push({ element, rank: 0 });
        else {
          const name = actions.name(element, role);
          if (matches(name, wanted, target.exact === true)) found.push({ element, rank: name === wanted ? 0 : 1 });
        }
      }
    }
    return found;
  }

  function byText(roots: ParentNode[], target: { text: string; exact?: boolean | undefined }): Found[] {
    const wanted = actions.clean(target.text);
    const exact = target.exact === true;
    const found: Found[] = [];
    const add = (element: Element, text: string): void => {
      let actionable = false;
      for (let at: Element | null = element; at && !actionable; at = actions.parent(at))
        actionable = actions.isActionable(at, actions.role(at));
      found.push({ element, rank: (text === wanted ? 0 : 2) + (actionable ? 0 : 1) });
    };
    /** The innermost elements that hold the text. */
    const visit = (element: Element): boolean => {
      if (SILENT.has(localName(element))) return false;
      if (localName(element) === 'input') {
        const { type, value } = element as HTMLInputElement;
        const isButton = type === 'submit' || type === 'button' || type === 'reset';
        if (isButton && matches(actions.clean(value), wanted, exact)) add(element, actions.clean(value));
        return isButton;
      }
      if (
        !matches(actions.clean(textContent(element) ?? ''), wanted, false) &&
        !querySelector(element, 'input[type=submit],input[type=button],input[type=reset]')
      ) {
        return false;
      }
      let inChild = false;
      for (const child of children(element)) inChild = visit(child) || inChild;
      if (inChild) return true;
      const shown = actions.clean(innerText(element) ?? textContent(element) ?? '');
      if (!matches(shown, wanted, exact)) return false;
      add(element, shown);
      return true;
    };
    for (const root of roots) for (const element of root.children) visit(element);
    return found;
  }

  /** The real target of a click or an entry: the button around the text, or the control of a label. */
  function retargeted(element: Element): Element {
    for (let at: Element | null = element; at; at = actions.parent(at)) {
      if (localName(at) === 'label') return (at as HTMLLabelElement).control ?? element;
      const role = actions.role(at);
      if (role !== '' && actions.isActionable(at, role) && localName(at) !== 'body') return at;
    }
    return element;
  }

  actions.match = ({ target, retarget, watch }) => {
    if (watch) actions.watch();
    const answer: MatchAnswer = { matches: [], total: 0, foreign: [], changes: actions.changes() };
    let found: Found[];
    if ('selector' in target) {
      const result = bySelector(target.selector);
      found = result.found;
      answer.foreign = result.foreign;
      if (result.problem) answer.problem = result.problem;
    } else {
      const { roots, foreign } = actions.scopes();
      answer.foreign = foreign.map((frame) => ({ number: actions.numberOf(frame), target: target as Target }));
      found = 'role' in target ? byRole(roots, target) : byText(roots, target);
      if ('text' in target && retarget) {
        const seen = new Set<Element>();
        found = found
          .map(({ element, rank }) => ({ element: retargeted(element), rank }))
          .filter(({ element }) => !seen.has(element) && seen.add(element));
      }
    }
    answer.total = found.length;
    const all = found.map(({ element, rank }) => ({ element, rank, shown: actions.isShown(element) }));
    // The sort is stable, so equal matches stay in document order.
    all.sort((a, b) => Number(b.shown) - Number(a.shown) || a.rank - b.rank);
    answer.matches = all.slice(0, MAX_MATCHES).map(
      ({ element, rank, shown }): Match => ({
        number: actions.numberOf(element),
        rank,
        shown,
        line: actions.line(element, actions.role(element), true),
      }),
    );
    return answer;
  };
}
