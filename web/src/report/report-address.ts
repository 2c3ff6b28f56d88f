/** Addresses inside of report.html: `#e3` is an attempt, `#e3-14` one of its steps by the number of its event. */
import { useSyncExternalStore } from 'react';

export interface ReportAddress {
  /** Undefined for the run. */
  id?: string;
  seq?: number;
}

function addressOf(hash: string): ReportAddress {
  const [, id, seq] = /^#(e\d+)(?:-(\d+))?$/.exec(hash) ?? [];
  if (id === undefined) return {};
  return seq === undefined ? { id } : { id, seq: Number(seq) };
}

export function hashOf(id: string, seq?: number): string {
  return `#${id}${seq === undefined ? '' : `-${seq}`}`;
}

export function useAddress(): ReportAddress {
  const hash = useSyncExternalStore(listen, () => location.hash);
  return addressOf(hash);
}

function listen(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}

/** Steps that were looked at one after the other are no pages to go back to. */
export function replaceHash(hash: string): void {
  history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}
