/**
 * The evidence tree: a verdict for every assertion, with what was expected and what was observed.
 * Plain JSON that can be understood without the page. The field names are an interchange format.
 */
import type { TextComparison } from './facts.ts';
import type { Verdict } from './kleene.ts';
import type { LeafOf, Op } from './schema.ts';

interface Node<K extends string, D extends object> {
  verdict: Verdict;
  /** True only for `pass`: an inconclusive verdict did not pass. */
  passed: boolean;
  assertion_kind: K;
  /** `reason` explains an inconclusive verdict. */
  details: D & { reason?: string };
  /** The screenshot that was evaluated. */
  screenshot_path?: string;
}

export interface NumberComparison {
  op?: Op;
  target?: number;
  tolerance?: number;
}

/** What each kind of leaf expected and observed; null where nothing was observed. */
export interface LeafDetails {
  url: { url: string | null; pattern: string };
  dom_text: TextComparison & {
    selector: string;
    page_url?: string;
    text_preview: string | null;
    text_length: number | null;
  };
  dom_value: Omit<TextComparison, 'contains'> &
    NumberComparison &
    Pick<LeafOf<'dom_value'>, 'selector' | 'checked' | 'selected' | 'page_url'> & {
      /** What is compared: a text, a number, whether it is checked or selected, or the labels of the selected options. */
      observed: string | number | boolean | string[] | null;
    };
  dom_count: { selector: string; op: Op; target: number; page_url?: string; observed: number | null };
  network: {
    url_pattern: string;
    status_in: LeafOf<'network'>['status_in'];
    since: LeafOf<'network'>['since'];
    matched_count: number | null;
    scanned_count: number | null;
    last_match: { url: string; status: number | 'blocked'; ts: number } | null;
  };
  screenshot_class: {
    class_id: string;
    distance: number | null;
    distance_max: number;
    nearest_exemplar: string | null;
  };
  no_dialog: { dialog_open: boolean | null; dialogs_seen: number | null };
  script: Pick<LeafOf<'script'>, 'expression' | 'equals' | 'pattern' | 'forgeable' | 'page_url'> &
    NumberComparison & { observed: unknown };
  image_qa: { question: string; answer: string | null; expected_pattern: string };
  answer: { answer: string | null; pattern: string };
  performance: { metric: string; unit: LeafOf<'performance'>['unit']; op: Op; target: number; observed: number | null };
  console: {
    filters: Pick<LeafOf<'console'>, 'type' | 'message_pattern' | 'uncaught' | 'max_age_ms'>;
    op: Op;
    target: number;
    observed: number | null;
  };
}

export type LeafEvidence<K extends keyof LeafDetails = keyof LeafDetails> = { [P in K]: Node<P, LeafDetails[P]> }[K];

export type GroupEvidence = Node<
  'and' | 'or',
  { evaluated: number; total: number; children: Evidence[]; deciding_index: number | null }
>;

export type NotEvidence = Node<'not', { child: Evidence }>;

export type Evidence = LeafEvidence | GroupEvidence | NotEvidence;

/** The leaves in document order, each with the verdict that the contract wants of it: under a `not`, that is `fail`. */
export function* leavesWithWanted(
  evidence: Evidence,
  wanted: 'pass' | 'fail' = 'pass',
): Generator<{ leaf: LeafEvidence; wanted: 'pass' | 'fail' }> {
  if (evidence.assertion_kind === 'not') {
    yield* leavesWithWanted(evidence.details.child, wanted === 'pass' ? 'fail' : 'pass');
  } else if (isGroup(evidence)) {
    for (const child of evidence.details.children) yield* leavesWithWanted(child, wanted);
  } else yield { leaf: evidence, wanted };
}

function isGroup(evidence: Evidence): evidence is GroupEvidence {
  return evidence.assertion_kind === 'and' || evidence.assertion_kind === 'or';
}

/** How many leaves are as the contract wants them (under a `not`, that is a failing leaf), and how many there are. */
export function tallyLeaves(evidence: Evidence): { holding: number; total: number } {
  const tally = { holding: 0, total: 0 };
  for (const { leaf, wanted } of leavesWithWanted(evidence)) {
    tally.total++;
    if (leaf.verdict === wanted) tally.holding++;
  }
  return tally;
}
