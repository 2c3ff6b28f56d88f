/** A Chromium that the harness starts, confines and watches. */
export { Connection } from './cdp/connection.ts';
export type { Command, EventName, EventParams, Params, Protocol, Result } from './cdp/protocol.ts';
export type { RequestOptions } from './cdp/request.ts';
export type { Session } from './cdp/session.ts';
export { usesClipboard } from './clipboard/clipboard-keys.ts';
export { Determinism } from './determinism.ts';
export { writeChromiumWrapper } from './gate/chromium-wrapper.ts';
export { Gate, type GateOptions } from './gate/gate.ts';
export { type Dom, makeDom } from './in-page-dom.ts';
export { Browser, type BrowserIdentity, type LaunchOptions } from './launch/browser.ts';
export { isExecutable, listFolder } from './launch/executables.ts';
export { BROWSER_VARIABLE, type BrowserKind, type FoundBrowser, findBrowser } from './launch/find-browser.ts';
export { ensureBrowser } from './launch/install-browser.ts';
export { type Reaped, reapOrphans, STATE_VARIABLE, stateFolder } from './launch/process-registry.ts';
export { processesWith } from './launch/process-table.ts';
export { type DecodedPicture, PictureDecoder } from './pictures.ts';
export { type AcquiredSlot, Pool, type PoolEvent, type PoolOptions } from './pool/pool.ts';
export type { Fingerprint, Proof } from './pool/proof.ts';
export type { Slot } from './pool/slot.ts';
export { WorkLimit } from './pool/work-limit.ts';
export { NetworkGuard, type NetworkPolicy } from './recordings/network-policy.ts';
export {
  RECORDING_FORMAT,
  type RecordedEntry,
  type Recording,
  readRecording,
  writeRecording,
} from './recordings/recording.ts';
export { type Visit, visitPages } from './recordings/visit-pages.ts';
export { domFactsOf } from './witness/dom-facts.ts';
export type { FrameReport, FrameRequest } from './witness/frame-report.ts';
export type { ConsoleEntry, DialogEntry, DownloadEntry, NetworkEntry, PopupEntry } from './witness/logs.ts';
export type { Observation } from './witness/observation.ts';
export type { PageControl } from './witness/page-controls.ts';
export type { PageSet } from './witness/page-set.ts';
export type { PageWatch } from './witness/page-watch.ts';
export type { JsonPage } from './witness/read-json-page.ts';
export type { RecordedRequest, RequestRecorder, WantedParts } from './witness/request-recorder.ts';
export type { NoScreenshot, Screenshot } from './witness/screenshot.ts';
export { TargetHub } from './witness/target-hub.ts';
export { Witness, type WitnessOptions } from './witness/witness.ts';
