/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the page. Reads the DOM leaves of a contract in the same round trip as the digests. */
import type { ControlFact, TextFact, TextNeeded } from '../../contracts/index.ts';
import type { Dom } from '../in-page-dom.ts';
import type { FrameReport, FrameRequest } from './frame-report.ts';

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function readLeaves(
  request: FrameRequest,
  report: Pick<FrameReport, 'domText' | 'domValue' | 'domCount' | 'problems' | 'performance'>,
  dom: Dom,
): void {
  /** Characters of a text that are handed over as they are. Of a longer one, comparisons are decided here. */
  const MAX_TEXT = 4_096;
  /** The same, where a pattern must search it: patterns run in linear time only outside the page. */
  const MAX_SEARCHED = 2_097_152;
  const PREVIEW = 1_000;
  const MAX_SELECTED = 1_000;
  const VALUED = ['input', 'textarea', 'select', 'option', 'button', 'output', 'meter', 'progress', 'data'];

  /** `a >>> b` selects every b inside the open shadow roots, or the same-origin frames, of every a. */
  function matchesOf(selector: string): { lists: NodeListOf<Element>[]; problem: string | undefined } {
    const hops = selector.split('>>>').map((hop) => hop.trim());
    let scopes: ParentNode[] = [document];
    let problem: string | undefined;
    for (const hop of hops.slice(0, -1)) {
      const inside: ParentNode[] = [];
      for (const host of scopes.flatMap((scope) => [...scope.querySelectorAll(hop)])) {
        const isFrame = ['iframe', 'frame'].includes(dom.localName(host));
        const scope = isFrame ? (host as HTMLIFrameElement).contentDocument : dom.shadowRoot(host);
        if (scope) inside.push(scope);
        else problem ??= isFrame ? `"${hop}" is a frame of another origin` : `"${hop}" has no open shadow root`;
      }
      scopes = inside;
    }
    return { lists: scopes.map((scope) => scope.querySelectorAll(hops[hops.length - 1] ?? '')), problem };
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

  /** What a control that the page has built itself says of its state. */
  function ariaState(element: Element, name: 'aria-checked' | 'aria-selected'): boolean | undefined {
    const given = dom.getAttribute(element, name);
    return given === 'true' || given === 'false' ? given === 'true' : undefined;
  }

  function selectedOf(element: Element, name: string): ControlFact['selected'] | undefined {
    if (name === 'option') return (element as HTMLOptionElement).selected;
    if (name !== 'select') return ariaState(element, 'aria-selected');
    const options = [...(element as HTMLSelectElement).selectedOptions];
    if (options.length > MAX_SELECTED) throw new Error(`more than ${MAX_SELECTED} options are selected`);
    return options.map(({ label, value }) => ({
      label: collapsed(label).slice(0, PREVIEW),
      value: value.slice(0, PREVIEW),
    }));
  }

  function controlOf(element: Element, asked: TextNeeded): ControlFact {
    const name = dom.localName(element);
    const control = VALUED.includes(name) ? dom.asControl(element) : undefined;
    const value = control?.value === undefined ? null : String(control.value);
    const isCheckable = name === 'input' && ['checkbox', 'radio'].includes(control?.type ?? '');
    const checked = isCheckable ? control?.checked : ariaState(element, 'aria-checked');
    const selected = selectedOf(element, name);
    return {
      value: value === null ? null : handedOver(value, asked, (wanted) => value === wanted),
      ...(checked === undefined ? {} : { checked }),
      ...(selected === undefined ? {} : { selected }),
    };
  }

  for (const asked of request.domText ?? []) {
    read(asked.selector, (found) => {
      const text = found ? (dom.innerText(found) ?? dom.textContent(found) ?? '') : null;
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
