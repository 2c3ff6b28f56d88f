/** The logs of one context, and the entries that its events make. Each entry carries the number of the last tool call that was sent before it. */
import type { Protocol } from '../cdp/protocol.ts';
import type { BlockedRequest } from '../recordings/network-policy.ts';
import {
  BLOCKED_BY_CLIENT,
  BoundedLog,
  type ConsoleEntry,
  cut,
  type DialogEntry,
  type DownloadEntry,
  type NetworkEntry,
  type PopupEntry,
} from './logs.ts';
import type { Observation } from './observation.ts';

export class ContextLogs {
  readonly network = new BoundedLog<NetworkEntry>(2_000);
  readonly console = new BoundedLog<ConsoleEntry>(1_000);
  readonly dialogs = new BoundedLog<DialogEntry>(500);
  readonly downloads = new BoundedLog<DownloadEntry>(200);
  readonly popups = new BoundedLog<PopupEntry>(200);
  readonly now: () => number;
  /** The number of the last tool call. */
  marker = 0;
  /** Requests that were blocked before the browser told of them. */
  readonly #blocked = new Set<string>();

  constructor(now: () => number) {
    this.now = now;
  }

  get counters(): Observation['counters'] {
    return {
      network: this.network.total,
      console: this.console.total,
      dialogs: this.dialogs.total,
      downloads: this.downloads.total,
      popups: this.popups.total,
    };
  }

  /** What was blocked is known before or after the browser tells of the request, which may not happen at all. */
  requestBlocked({ requestId, method, url, type }: BlockedRequest): void {
    const known = this.network.entries.findLast((entry) => entry.requestId === requestId && entry.url === cut(url));
    if (known) known.blocked = true;
    else if (requestId !== undefined) this.#blocked.add(`${requestId} ${url}`);
    else
      this.network.add({
        ...{ requestId: '', targetId: '', method, url: cut(url), type, failed: BLOCKED_BY_CLIENT, blocked: true },
        ...{ startedAt: this.now(), endedAt: this.now(), marker: this.marker },
      });
  }

  /** Asked once for each request, when the browser tells of it. */
  wasBlocked(requestId: string, url: string): boolean {
    return this.#blocked.delete(`${requestId} ${url}`);
  }

  dialogOpened(targetId: string, { type, message, url }: Protocol.Page.JavascriptDialogOpeningEvent): DialogEntry {
    const entry: DialogEntry = {
      targetId,
      type,
      message: cut(message),
      url: cut(url),
      openedAt: this.now(),
      marker: this.marker,
    };
    this.dialogs.add(entry);
    return entry;
  }

  dialogClosed(entry: DialogEntry, accepted: boolean): void {
    entry.closedAt = this.now();
    entry.accepted = accepted;
  }

  popupOpened({ targetId, openerId, url }: Protocol.Target.TargetInfo): void {
    if (!openerId) return;
    this.popups.add({ targetId, openerId, url: cut(url), at: this.now(), marker: this.marker });
  }

  downloadBegun(targetId: string, event: Protocol.Browser.DownloadWillBeginEvent): void {
    this.downloads.add({
      guid: event.guid,
      targetId,
      url: cut(event.url),
      suggestedFilename: cut(event.suggestedFilename),
      startedAt: this.now(),
      marker: this.marker,
      state: 'inProgress',
      receivedBytes: 0,
    });
  }

  downloadProgressed(event: Protocol.Browser.DownloadProgressEvent): void {
    const entry = this.downloads.entries.find(({ guid }) => guid === event.guid);
    if (!entry) return;
    entry.state = event.state;
    entry.receivedBytes = event.receivedBytes;
  }
}
