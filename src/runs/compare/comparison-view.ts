/** A comparison as a page shows it: the sentences and tables that the command line prints, and what is needed to link and to draw. */
import type { ComparedArm, Comparison } from '../../metrics/index.ts';
import {
  claimSentence,
  comparisonTables,
  evidenceSentences,
  regressionSentence,
  type TextTable,
  verdictSentence,
} from '../../view/index.ts';
import type { RunFolderComparison } from './compare-run-folders.ts';
import { divergenceSentence, stepText } from './divergence-text.ts';
import type { DiscordantPair, DivergedPair } from './divergences.ts';

export interface ComparisonView {
  a: ComparedArm;
  b: ComparedArm;
  verdict: Comparison['verdict'];
  headline: string;
  /** Where B is worse; null where it is not. */
  regression: string | null;
  evidence: string[];
  claim: string;
  pairs: number;
  difference: { estimate: number; interval: { low: number; high: number } | null } | null;
  tables: TextTable[];
  /** Pairs of which one passed and the other did not. */
  discordant: DiscordantPair[];
  /** Where their trajectories part, for the first of each case. */
  parted: PartedView[];
  /** Further cases that were not looked at. */
  partedLeftOut: number;
}

export interface PartedView {
  caseId: string;
  trial: number;
  sentence: string;
  a: PartedSide;
  b: PartedSide;
}

export interface PartedSide {
  name: string;
  /** The id of the cell in addresses. */
  attempt: string;
  /** The event that the address of the step names; null where it has no such step. */
  step: number | null;
  caption: string;
  /** The picture's file; null where there is none. */
  picture: string | null;
  /** Of a question. */
  answer: string | null;
}

export function comparisonView(comparison: RunFolderComparison, discordant: DiscordantPair[]): ComparisonView {
  const { a, b, overall, divergences, divergencesLeftOut } = comparison;
  const { estimate, interval } = overall.difference;
  return {
    a,
    b,
    verdict: overall.verdict,
    headline: verdictSentence(comparison),
    regression: regressionSentence(comparison) ?? null,
    evidence: evidenceSentences(comparison),
    claim: claimSentence(comparison),
    pairs: overall.pairs,
    difference: estimate === null ? null : { estimate, interval },
    tables: comparisonTables(comparison),
    discordant,
    parted: divergences.map((pair) => ({
      caseId: pair.caseId,
      trial: pair.trial,
      sentence: divergenceSentence(pair, comparison),
      a: partedSide(pair, 'a', a.name),
      b: partedSide(pair, 'b', b.name),
    })),
    partedLeftOut: divergencesLeftOut,
  };
}

function partedSide({ divergence, answers, ids }: DivergedPair, side: 'a' | 'b', name: string): PartedSide {
  const of = divergence?.[side];
  return {
    name,
    attempt: ids[side],
    step: of?.step?.seq ?? null,
    caption: divergence ? stepText(divergence, side) : 'its answer',
    picture: of?.picture ?? null,
    answer: answers?.[side] ?? null,
  };
}
