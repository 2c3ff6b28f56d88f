/** The tab of a call: the named one, else the tab of the ref, else the tab that was used last. */
import type { Call } from '../call.ts';
import type { Tab } from '../tab.ts';

export function tabFor(call: Call, tabId: string | undefined, ref: string | undefined): Tab {
  if (tabId !== undefined || ref === undefined) return call.context.tab(tabId);
  return call.context.place(ref).tab;
}
