/** What a document is asked, and what it answers. */

/** What one look into one document says. */
export interface FrameReport {
  /** Moves with every mutation, input, or scroll; equal numbers mean that nothing was recomputed. */
  version: number;
  url: string;
  title: string;
  readyState: string;
  /** Digests: of elements, attributes and live form values; of text; of what can be acted on. 64 bits, not for security. */
  dom: string;
  text: string;
  actionable: string;
  elements: number;
  actionables: number;
  textLength: number;
  passwordFields: number;
  windowName: string;
  /** Entries; 0 also where the document has no storage (about:blank). */
  sessionStorage: number;
  historyLength: number;
  /** Digests of disjoint parts of the page, by path: what changes here without an action is noise. */
  regions: Record<string, string>;
  /** Asked-for leaves. null: no such element. A string in `problems` says why a leaf could not be read. */
  domText: Record<string, string | null>;
  domCount: Record<string, number>;
  problems: Record<string, string>;
  /** Where asked for: what the browser measured of this document. */
  performance?: { metric: string; value: number; unit: 'ms' | 'bytes' | 'count' }[];
}

export interface FrameRequest {
  domText?: readonly string[];
  domCount?: readonly string[];
  performance?: boolean;
  /** Drop all kept hashes first (the last look of an episode). */
  full?: boolean;
}
