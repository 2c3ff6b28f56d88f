import type { Call } from './call.ts';
import type { Tab } from './tab.ts';

/** When the page has answered any request, a navigation that the input started has been announced. */
export async function barrier(call: Call, tab: Tab): Promise<void> {
  const main = await tab.main(call.signal);
  await main.ask('frames', { count: 0 }, call.signal);
}
