/**
 * The proof that a context is clean: a list of what it holds, and whether anything should not be there.
 * Storage is read at every origin that the context has visited (through a blank page; the site is not contacted), and at the
 * origins that the caller names. A new context has visited none, so that its proof costs one round trip.
 */

import type { SlotClipboard } from '../clipboard/slot-clipboard.ts';
import type { Observation } from '../witness/observation.ts';
import type { TargetHub } from '../witness/target-hub.ts';
import type { Witness } from '../witness/witness.ts';
import { BlankPage } from './blank-page.ts';
import { READ_PERMISSIONS, type UtilityPage } from './utility-page.ts';

export interface OriginFingerprint {
  origin: string;
  localStorage: number;
  indexedDB: number;
  /** null: not available, because the origin is not a secure context. */
  cacheStorage: number | null;
  serviceWorkers: number | null;
  permissions: Record<string, string>;
}

export interface Fingerprint {
  /** Whether the page answers at all: the health probe. */
  page: Observation['state'];
  cookies: string[];
  tabs: string[];
  windowName: string;
  sessionStorage: number;
  historyLength: number;
  serviceWorkers: number;
  clipboard: string[];
  requests: number;
  origins: OriginFingerprint[];
}

export interface Proof {
  clean: boolean;
  /** A sentence for each thing that should not be there. */
  findings: string[];
  fingerprint: Fingerprint;
}

const READ_ORIGIN = `(async () => ({
  localStorage: localStorage.length,
  indexedDB: (await indexedDB.databases()).length,
  cacheStorage: globalThis.caches ? (await caches.keys()).length : null,
  serviceWorkers: navigator.serviceWorker ? (await navigator.serviceWorker.getRegistrations()).length : null,
  permissions: await ${READ_PERMISSIONS},
}))()`;

export interface ProofSubject {
  hub: TargetHub;
  utilityPage: UtilityPage;
  witness: Witness;
  clipboard: SlotClipboard;
  /** Origins to read beside those that the context has touched. */
  origins?: readonly string[];
}

export async function prove(subject: ProofSubject): Promise<Proof> {
  const { hub, utilityPage, witness, clipboard } = subject;
  const { root } = hub.connection;
  // A used slot may hold contexts that a tool server has made beside its own one.
  const contexts = [...witness.contexts];
  const [stored, { targetInfos }, look] = await Promise.all([
    Promise.all(contexts.map((browserContextId) => root.send('Storage.getCookies', { browserContextId }))),
    root.send('Target.getTargets', {}),
    lookAtPage(witness),
  ]);
  const origins: OriginFingerprint[] = [];
  for (const origin of new Set([...witness.origins, ...(subject.origins ?? [])])) {
    for (const contextId of contexts) origins.push(await readOrigin(hub, contextId, origin));
  }
  const fingerprint: Fingerprint = {
    cookies: stored.flatMap(({ cookies }) => cookies.map(({ name, domain }) => `${name} (${domain})`)),
    tabs: targetInfos
      .filter(({ type, browserContextId }) => type === 'page' && witness.contexts.has(browserContextId ?? ''))
      .map(({ url }) => url),
    ...look,
    serviceWorkers: witness.serviceWorkers,
    clipboard: clipboard.kinds,
    requests: witness.network.total,
    origins,
  };
  const findings = findingsOf(fingerprint, utilityPage.defaultPermissions);
  return { clean: findings.length === 0, findings, fingerprint };
}

/** Lists the parts of a fingerprint that are not clean. */
function findingsOf(found: Fingerprint, defaultPermissions: Readonly<Record<string, string>>): string[] {
  const findings: string[] = [];
  const count = (n: number, what: string): void => {
    if (n > 0) findings.push(`${n} ${what}`);
  };
  if (found.page !== 'ok') findings.push(`the page is ${found.page}`);
  if (found.cookies.length > 0) findings.push(`cookies: ${found.cookies.slice(0, 5).join(', ')}`);
  if (found.tabs.length !== 1) findings.push(`${found.tabs.length} tabs instead of one`);
  for (const url of found.tabs) if (url !== 'about:blank') findings.push(`a tab at ${url} instead of about:blank`);
  if (found.windowName !== '') findings.push(`window.name is "${found.windowName.slice(0, 80)}"`);
  count(found.sessionStorage, 'entries in session storage');
  if (found.historyLength > 1) findings.push(`${found.historyLength} entries in the tab's history`);
  count(found.serviceWorkers, 'service workers ran');
  count(found.requests, 'requests were made');
  if (found.clipboard.length > 0) findings.push(`the clipboard holds ${found.clipboard.join(', ')}`);
  for (const at of found.origins) {
    count(at.localStorage, `entries in local storage of ${at.origin}`);
    count(at.indexedDB, `databases (IndexedDB) of ${at.origin}`);
    count(at.cacheStorage ?? 0, `caches of ${at.origin}`);
    count(at.serviceWorkers ?? 0, `service workers registered at ${at.origin}`);
    for (const [name, state] of Object.entries(at.permissions)) {
      const usual = defaultPermissions[name];
      // An insecure origin is denied what a secure one would prompt for. A state below the default is not a leak.
      if (state === 'granted' && usual !== 'granted') findings.push(`permission ${name} is granted to ${at.origin}`);
    }
  }
  return findings;
}

async function lookAtPage(
  witness: Witness,
): Promise<Pick<Fingerprint, 'page' | 'windowName' | 'sessionStorage' | 'historyLength'>> {
  const { state, main } = await witness.observe();
  if (!main) return { page: state, windowName: '', sessionStorage: 0, historyLength: 0 };
  const { windowName, sessionStorage, historyLength } = main;
  return { page: state, windowName, sessionStorage, historyLength };
}

async function readOrigin(hub: TargetHub, contextId: string, origin: string): Promise<OriginFingerprint> {
  const page = await BlankPage.open(hub, contextId);
  try {
    await page.goto(origin);
    return { origin, ...(await page.evaluate<Omit<OriginFingerprint, 'origin'>>(READ_ORIGIN)) };
  } finally {
    await page.close();
  }
}
