/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs in the page. Reads the DOM leaves of a contract in the same round trip as the digests. */
import type { Dom } from '../in-page-dom.ts';
import type { FrameReport, FrameRequest } from './frame-report.ts';

/** Its source text is sent to the page, so it must not use anything from outside itself. */
export function readLeaves(
  request: FrameRequest,
  report: Pick<FrameReport, 'domText' | 'domCount' | 'problems' | 'performance'>,
  dom: Dom,
): void {
  const MAX_TEXT = 262_144;

  /** `a >>> b` selects every b inside the open shadow roots, or the same-origin frames, of every a. */
  function scopesOf(selector: string): { scopes: ParentNode[]; last: string; problem: string | undefined } {
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
    return { scopes, last: hops[hops.length - 1] ?? '', problem };
  }

  const read = (selector: string, into: (found: Element[]) => void): void => {
    try {
      const { scopes, last, problem } = scopesOf(selector);
      if (problem) report.problems[selector] = problem;
      into(scopes.flatMap((scope) => [...scope.querySelectorAll(last)]));
    } catch (error) {
      report.problems[selector] = String(error);
    }
  };
  for (const selector of request.domText ?? []) {
    read(selector, ([found]) => {
      const text = found ? (dom.innerText(found) ?? dom.textContent(found) ?? '') : null;
      if (text !== null && text.length > MAX_TEXT)
        report.problems[selector] = `its text is cut at ${MAX_TEXT} characters`;
      report.domText[selector] = text === null ? null : text.slice(0, MAX_TEXT);
    });
  }
  for (const selector of request.domCount ?? []) {
    read(selector, (found) => {
      report.domCount[selector] = found.length;
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
