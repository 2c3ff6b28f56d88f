/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/**
 * Runs in the page. Reads the DOM leaves of a contract in the same round trip as the digests. Accessors come from the prototypes: a form
 * field or an image can be named like any property of its form or document.
 */
import type { ControlFact, TextFact, TextNeeded } from '../../contracts/index.ts';
import type { FrameReport, FrameRequest } from './frame-report.ts';

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function readLeaves(
  request: FrameRequest,
  report: Pick<FrameReport, 'domText' | 'domValue' | 'domCount' | 'problems' | 'performance'>,
): void {
  /** Characters of a text that are handed over as they are. Of a longer one, comparisons are decided here. */
  const MAX_TEXT = 4_096;
  /** The same, where a pattern must search it: patterns run in linear time only outside the page. */
  const MAX_SEARCHED = 2_097_152;
  const PREVIEW = 1_000;
  const MAX_SELECTED = 1_000;
  const HTML = 'http://www.w3.org/1999/xhtml';
  const VALUED: Record<string, { prototype: Element } | undefined> = {
    input: HTMLInputElement,
    textarea: HTMLTextAreaElement,
    select: HTMLSelectElement,
    option: HTMLOptionElement,
    button: HTMLButtonElement,
    output: HTMLOutputElement,
    meter: HTMLMeterElement,
    progress: HTMLProgressElement,
    data: HTMLDataElement,
  };

  const get = <T>(prototype: object, name: string, element: Node): T =>
    Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(element);
  const attribute = (element: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(element, name);
  /** The name of an HTML element; the empty text for any other one. */
  const htmlName = (element: Element): string =>
    get(Element.prototype, 'namespaceURI', element) === HTML
      ? get<string>(Element.prototype, 'localName', element)
      : '';

  type Query = (selectors: string) => NodeListOf<Element>;
  const inDocument = (root: Document): Query => Document.prototype.querySelectorAll.bind(root) as Query;
  const inShadow = (root: ShadowRoot): Query => DocumentFragment.prototype.querySelectorAll.bind(root) as Query;

  /** `a >>> b` selects every b inside the open shadow roots, or the same-origin frames, of every a. */
  function matchesOf(selector: string): { lists: NodeListOf<Element>[]; problem: string | undefined } {
    const hops = selector.split('>>>').map((hop) => hop.trim());
    let scopes: Query[] = [inDocument(document)];
    let problem: string | undefined;
    for (const hop of hops.slice(0, -1)) {
      const inside: Query[] = [];
      for (const host of scopes.flatMap((query) => [...query(hop)])) {
        const name = htmlName(host);
        if (name === 'iframe' || name === 'frame') {
          const { prototype } = name === 'iframe' ? HTMLIFrameElement : HTMLFrameElement;
          const content = get<Document | null>(prototype, 'contentDocument', host);
          if (content) inside.push(inDocument(content));
          else problem ??= `"${hop}" is a frame of another origin`;
        } else {
          const root = get<ShadowRoot | null>(Element.prototype, 'shadowRoot', host);
          if (root) inside.push(inShadow(root));
          else problem ??= `"${hop}" has no open shadow root`;
        }
      }
      scopes = inside;
    }
    return { lists: scopes.map((query) => query(hops[hops.length - 1] ?? '')), problem };
  }

  const read = (selector: string, into: (found: Element | undefined, count: number) => void): void => {
    try {
      const { lists, problem } = matchesOf(selector);
      if (problem) report.problems[selector] = problem;
      into(
        lists.find((list) => list.length > 0)?.[0],
        lists.reduce((sum, list) => sum + list.length, 0),
      );
    } catch (error) {
      report.problems[selector] = String(error);
    }
  };

  const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const handedOver = (text: string, asked: TextNeeded, isEqual: (wanted: string) => boolean): TextFact => {
    if (text.length <= (asked.patterns.length > 0 ? MAX_SEARCHED : MAX_TEXT)) return text;
    const answers = (wanted: string[], compare: (one: string) => boolean): Record<string, boolean> =>
      Object.fromEntries(wanted.map((one) => [one, compare(one)]));
    return {
      preview: text.slice(0, PREVIEW),
      length: text.length,
      contains: answers(asked.contains, (one) => text.includes(one)),
      equals: answers(asked.equals, isEqual),
    };
  };

  function textOf(element: Element): string {
    if (htmlName(element) !== '') return get<string>(HTMLElement.prototype, 'innerText', element);
    return get<string | null>(Node.prototype, 'textContent', element) ?? '';
  }

  /** `aria-checked` and `aria-selected` are what a control that a page has built itself says of its state. */
  function stateOf(element: Element, name: 'aria-checked' | 'aria-selected'): boolean | undefined {
    const given = attribute(element, name);
    return given === 'true' || given === 'false' ? given === 'true' : undefined;
  }

  function checkedOf(element: Element, name: string): boolean | undefined {
    const { prototype } = HTMLInputElement;
    const isCheckable = name === 'input' && ['checkbox', 'radio'].includes(get<string>(prototype, 'type', element));
    return isCheckable ? get<boolean>(prototype, 'checked', element) : stateOf(element, 'aria-checked');
  }

  function selectedOf(element: Element, name: string): ControlFact['selected'] | undefined {
    const { prototype } = HTMLOptionElement;
    if (name === 'option') return get<boolean>(prototype, 'selected', element);
    if (name !== 'select') return stateOf(element, 'aria-selected');
    const options = [
      ...get<HTMLCollectionOf<HTMLOptionElement>>(HTMLSelectElement.prototype, 'selectedOptions', element),
    ];
    if (options.length > MAX_SELECTED) throw new Error(`more than ${MAX_SELECTED} options are selected`);
    return options.map((option) => ({
      label: collapsed(get<string>(prototype, 'label', option)).slice(0, PREVIEW),
      value: get<string>(prototype, 'value', option).slice(0, PREVIEW),
    }));
  }

  function controlOf(element: Element, asked: TextNeeded): ControlFact {
    const name = htmlName(element);
    const valued = VALUED[name];
    const value = valued ? String(get<unknown>(valued.prototype, 'value', element)) : null;
    const checked = checkedOf(element, name);
    const selected = selectedOf(element, name);
    return {
      value: value === null ? null : handedOver(value, asked, (wanted) => value === wanted),
      ...(checked === undefined ? {} : { checked }),
      ...(selected === undefined ? {} : { selected }),
    };
  }

  for (const asked of request.domText ?? []) {
    read(asked.selector, (found) => {
      const text = found ? textOf(found) : null;
      report.domText[asked.selector] =
        text === null ? null : handedOver(text, asked, (wanted) => collapsed(text) === collapsed(wanted));
    });
  }
  for (const asked of request.domValue ?? []) {
    read(asked.selector, (found) => {
      report.domValue[asked.selector] = found ? controlOf(found, asked) : null;
    });
  }
  for (const selector of request.domCount ?? []) {
    read(selector, (_, count) => {
      report.domCount[selector] = count;
    });
  }

  if (request.performance) {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const paints = performance.getEntriesByType('paint');
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const ms = (metric: string, value: number | undefined) => (value ? [{ metric, value, unit: 'ms' as const }] : []);
    report.performance = [
      ...ms('time_to_first_byte', navigation?.responseStart),
      ...ms('dom_content_loaded', navigation?.domContentLoadedEventEnd),
      ...ms('load', navigation?.loadEventEnd),
      ...paints.flatMap(({ name, startTime }) => ms(name.replaceAll('-', '_'), startTime)),
      {
        metric: 'transfer_size',
        value: resources.reduce((sum, { transferSize }) => sum + transferSize, navigation?.transferSize ?? 0),
        unit: 'bytes',
      },
      { metric: 'resources', value: resources.length, unit: 'count' },
      { metric: 'dom_nodes', value: document.getElementsByTagName('*').length, unit: 'count' },
    ];
  }
}
