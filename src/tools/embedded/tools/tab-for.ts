/** The tab that a call goes to: the one that is named, else the one that the ref is of, else the one used last. */
import type { Call } from '../call.ts';
import type { Tab } from '../tab.ts';

export function tabFor(call: Call, tabId: string | undefined, ref: string | undefined): Tab {
  if (tabId !== undefined || ref === undefined) return call.context.tab(tabId);
  return call.context.place(ref).tab;
}
