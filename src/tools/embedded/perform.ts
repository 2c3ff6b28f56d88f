/** Runs an action on a tab and reports what it did and its effects. */
import { WaymarkError } from '../../errors/index.ts';
import { ActionEffects } from './action-effects.ts';
import type { Call } from './call.ts';
import { ToolFailure } from './failure.ts';
import { PlaceGone } from './place.ts';
import type { Tab } from './tab.ts';

/**
 * `work` returns what it did; `fallback` is used instead when the page closed before the result could be described.
 * @example perform(call, tab, 'Clicked.', async (after) => { … after.sent = true; … return 'Clicked [a3] button "Next".'; })
 */
export async function perform(
  given: Call,
  tab: Tab,
  fallback: string,
  work: (call: Call, after: ActionEffects) => Promise<string>,
): Promise<string> {
  const call = given.within(tab);
  return tab.inTurn(async () => {
    await call.context.use(tab);
    tab.checkDialog();
    using after = new ActionEffects(call, tab);
    let sentence: string;
    try {
      sentence = await work(call, after);
    } catch (error) {
      if (!after.sent || !isEffect(error, call.signal)) throw error instanceof PlaceGone ? left() : error;
      sentence = fallback;
    }
    return [sentence, ...(await after.sentences())].join(' ');
  }, call.signal);
}

/** After the input was sent, these are effects of the action, and not failures of the call. */
function isEffect(error: unknown, signal: AbortSignal): boolean {
  if (signal.reason instanceof ToolFailure) return signal.reason.kind === 'page_gone';
  if (error instanceof PlaceGone) return true;
  if (error instanceof ToolFailure) return error.kind === 'dialog_open';
  return error instanceof WaymarkError && error.code === 'cdp_session_gone';
}

function left(): ToolFailure {
  return new ToolFailure('stale_ref', 'The page went elsewhere before anything was done.');
}
