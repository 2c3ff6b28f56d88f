/** The requests for the documents of tabs, as the witness saw them. */
import type { NetworkEntry, PageWatch, Witness } from '../chromium/index.ts';

/** The newest one, in any of these tabs. */
export function newestDocument(witness: Witness, tabs: readonly PageWatch[]): NetworkEntry | undefined {
  const ids = new Set(tabs.map(({ targetId }) => targetId));
  // The id of a tab is that of its main frame.
  const isMain = ({ type, frameId, targetId }: NetworkEntry): boolean =>
    type === 'Document' && frameId === targetId && ids.has(targetId);
  return witness.network.entries.findLast(isMain);
}

/** A tab waits for a document that the site has not begun to send. */
export function isDocumentAwaited(witness: Witness): boolean {
  const newest = newestDocument(witness, witness.pages);
  return newest !== undefined && newest.respondedAt === undefined && newest.endedAt === undefined;
}
