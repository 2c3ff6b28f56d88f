/** One observation of a lane's page: what the page answered, and what the events of its context say. */
import { createHash } from 'node:crypto';
import type { FrameReport } from './frame-report.ts';
import type { PageSet } from './page-set.ts';
import type { Look } from './page-watch.ts';

/** Digests are strings that are equal when nothing changed. */
export interface Observation {
  at: number;
  marker: number;
  targetId: string | undefined;
  /** `ok`: the page answered. Otherwise the fields come from events alone, and the digests are absent. */
  state: Look['state'];
  /** The error of a look that `failed`. */
  problem?: string;
  url: string;
  title: string;
  dom?: string;
  text?: string;
  actionable?: string;
  /** The main frame's report, with the requested leaves. */
  main?: FrameReport;
  frames: Pick<FrameReport, 'url' | 'dom' | 'attention'>[];
  silentFrames: number;
  /** Of the observed lane. */
  tabs: { targetId: string; url: string; title: string }[];
  /** Of the whole context. */
  counters: { network: number; console: number; dialogs: number; downloads: number; popups: number };
  /** On a page of the lane. */
  dialogOpen: boolean;
}

/** The part of an observation that a look at the page gives. */
export function observationOf(
  look: Look,
  pages: PageSet,
): Omit<Observation, 'at' | 'marker' | 'targetId' | 'url' | 'title' | 'counters'> {
  const { state, problem, main, frames, silentFrames } = look;
  const digest = (kind: 'dom' | 'text' | 'actionable', report: FrameReport): string =>
    together(
      report[kind],
      frames.map((frame) => frame[kind]),
    );
  return {
    state,
    ...(problem === undefined ? {} : { problem }),
    ...(main
      ? { dom: digest('dom', main), text: digest('text', main), actionable: digest('actionable', main), main }
      : {}),
    frames: frames.map(({ url, dom, attention }) => ({ url, dom, attention })),
    silentFrames,
    tabs: pages.pages.map(({ targetId, url, title }) => ({ targetId, url, title })),
    dialogOpen: pages.pages.some(({ openDialog }) => openDialog !== undefined),
  };
}

/** The digest of a page with one frame is the digest of that frame. Further frames are hashed in order. */
function together(main: string, frames: string[]): string {
  if (frames.length === 0) return main;
  return createHash('sha256')
    .update([main, ...frames].join(' '))
    .digest('hex')
    .slice(0, 16);
}
