/** A blank page of the harness at any origin. The harness answers the request itself, so the origin is never contacted. */
import type { Session } from '../cdp/session.ts';
import type { TargetHub } from '../witness/target-hub.ts';

const EMPTY = Buffer.from('<!doctype html><title>waymark</title>').toString('base64');

export class BlankPage {
  readonly session: Session;
  readonly #hub: TargetHub;
  readonly #targetId: string;

  private constructor(hub: TargetHub, session: Session, targetId: string) {
    this.#hub = hub;
    this.session = session;
    this.#targetId = targetId;
  }

  static async open(hub: TargetHub, contextId: string): Promise<BlankPage> {
    const { session, targetId } = await hub.openPrivately(contextId);
    session.on('Fetch.requestPaused', ({ requestId }) => {
      const responseHeaders = [{ name: 'content-type', value: 'text/html' }];
      // The request may have been cancelled by the page meanwhile.
      void session
        .send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body: EMPTY })
        .catch(() => {});
    });
    // A crashed renderer answers nothing any more: who waits for it is told at once.
    session.on('Inspector.targetCrashed', () => hub.connection.forget(session.id, 'its renderer has crashed'));
    await Promise.all([
      session.send('Page.enable'),
      session.send('Inspector.enable'),
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ]);
    return new BlankPage(hub, session, targetId);
  }

  async goto(origin: string): Promise<void> {
    const loaded = this.session.next('Page.loadEventFired', undefined, { timeoutMs: 5_000 });
    const [{ errorText }] = await Promise.all([
      this.session.send('Page.navigate', { url: `${origin}/waymark-blank` }, { timeoutMs: 5_000 }),
      loaded,
    ]);
    if (errorText) throw new Error(`${origin} could not be shown: ${errorText}`);
  }

  /** The value of an async expression in the page. */
  async evaluate<T>(expression: string, timeoutMs = 5_000): Promise<T> {
    const { result, exceptionDetails } = await this.session.send(
      'Runtime.evaluate',
      { expression, awaitPromise: true, returnByValue: true, userGesture: true },
      { timeoutMs },
    );
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as T;
  }

  /** Waits until the session has ended: the browser answers before the tab is closed, and a proof that counts tabs must not count this one. */
  async close(): Promise<void> {
    await this.#hub.connection.root.send('Target.closeTarget', { targetId: this.#targetId });
    await this.session.detached;
  }
}
