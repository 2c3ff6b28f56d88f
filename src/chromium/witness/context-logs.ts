/** The logs of one context, and the entries that its events make. Each entry carries the number of the last tool call that was sent before it. */
import type { Protocol } from '../cdp/protocol.ts';
import {
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
