/** The request to a document and its answer. */
import type { ControlFact, TextFact, TextNeeded } from '../../contracts/index.ts';

import type { Attention } from './in-page-attention.ts';

/** The result of one observation of one document. */
export interface FrameReport {
  /** Increases with every mutation, input or scroll. Equal numbers mean that nothing was recomputed. */
  version: number;
  url: string;
  title: string;
  readyState: string;
  /** Digests of elements, attributes and live form values; of the text; and of the actionable elements. They have 64 bits and are not for security. */
  dom: string;
  text: string;
  actionable: string;
  elements: number;
  actionables: number;
  textLength: number;
  passwordFields: number;
  windowName: string;
  /** The number of entries; also 0 where the document has no storage (about:blank). */
  sessionStorage: number;
  historyLength: number;
  /** Digests of disjoint parts of the page, by path. A part that changes without an action is noise. */
  regions: Record<string, string>;
  attention: Attention;
  /** What they show is not in the document. */
  canvases: number;
  /** The requested leaves. null: there is no such element. An entry in `problems` says why a leaf could not be read. */
  domText: Record<string, TextFact>;
  domValue: Record<string, ControlFact | null>;
  domCount: Record<string, number>;
  problems: Record<string, string>;
  /** The browser's measurements of this document, when they were requested. */
  performance?: { metric: string; value: number; unit: 'ms' | 'bytes' | 'count' }[];
}

/** As a document gives it: without the regions where its digest is the one that is known already. */
export type FrameAnswer = Omit<FrameReport, 'regions'> & Partial<Pick<FrameReport, 'regions'>>;

export interface FrameRequest {
  domText?: readonly TextNeeded[];
  domValue?: readonly TextNeeded[];
  domCount?: readonly string[];
  performance?: boolean;
  /** Look when the page has been painted twice, or after a short time where it is not painted. */
  afterPaint?: boolean;
  /** The digest of the document (`dom`) whose regions are known. */
  known?: string;
  /** Drop all cached hashes first (for the last observation of an episode). */
  full?: boolean;
}
