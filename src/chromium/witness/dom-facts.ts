import type { DomFacts } from '../../contracts/index.ts';
import type { FrameReport } from './frame-report.ts';

/** The facts of a look at a page. A selector that could not be read has its reason instead. */
export function domFactsOf({ domText, domValue, domCount, problems }: FrameReport): DomFacts {
  const known = <T>(record: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).filter(([selector]) => !Object.hasOwn(problems, selector)));
  const unavailable = Object.entries(problems).map(([selector, problem]) => [`dom:${selector}`, problem]);
  return {
    domText: known(domText),
    domValue: known(domValue),
    domCount: known(domCount),
    ...(unavailable.length > 0 ? { unavailable: Object.fromEntries(unavailable) } : {}),
  };
}
