/** A page of the harness in a context that is in use. No lane has it, no tool server sees it, and the witness logs nothing of it. */
import type { Session } from '../cdp/session.ts';
import type { PageOwners } from './page-owners.ts';
import type { TargetHub } from './target-hub.ts';

export interface HiddenPage extends AsyncDisposable {
  /** Paused until it is told to run. */
  readonly session: Session;
}

const CLOSE_MS = 500;
const MAX_TRIES = 4;

export async function openHiddenPage(
  hub: TargetHub,
  contextId: string,
  owners: PageOwners,
  signal: AbortSignal,
): Promise<HiddenPage> {
  const { root } = hub.connection;
  /** A tab is a target of its own, which does not name its page. */
  const tabs = async (): Promise<string[]> => {
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'tab' }] }, { signal });
    return targetInfos.filter(({ browserContextId }) => browserContextId === contextId).map(({ targetId }) => targetId);
  };
  const { session, targetId } = await owners.hide(async () => {
    const before = new Set(await tabs());
    const page = await hub.openPrivately(contextId, { signal });
    const around = (await tabs()).filter((id) => !before.has(id));
    return { made: page, targetIds: [page.targetId, ...around] };
  });
  return {
    session,
    async [Symbol.asyncDispose]() {
      const how = { timeoutMs: CLOSE_MS };
      const isGone = ({ sessionId }: { sessionId: string }): boolean => sessionId === session.id;
      // The browser answers before the page is gone, and a page that is just changing its document is not closed at all.
      for (let tries = 0; tries < MAX_TRIES && session.isAttached; tries++) {
        const gone = root.next('Target.detachedFromTarget', isGone, how);
        await Promise.allSettled([root.send('Target.closeTarget', { targetId }, how), gone]);
      }
    },
  };
}
