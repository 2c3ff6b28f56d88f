/** Judging a finished attempt again, from its journal alone: the same verdicts and scores, or the places where they differ. */
import { type Contract, evaluateFacts, parseContract } from '../contracts/index.ts';
import { REWARD_PROVENANCE } from '../reward/index.ts';
import { type EventOf, isStep, type JournalEvent, laneOf } from './events.ts';
import { AttemptScorer, type ScoredStep } from './scorer.ts';

export interface Difference {
  seq: number;
  what: 'verdict' | 'evidence' | 'reward' | 'state';
  recorded: unknown;
  again: unknown;
}

export interface Rejudged {
  /** Verdicts and rewards that were made again. */
  verdicts: number;
  rewards: number;
  differences: Difference[];
}

export function rescoreEvents(events: readonly JournalEvent[]): Rejudged {
  const start = events.find((event): event is EventOf<'start'> => event.type === 'start');
  const contract = contractOf(start);
  const scorer = new AttemptScorer(start?.task);
  const isOfTheseRules = start?.kind !== 'question' && start?.hashes.scorer === REWARD_PROVENANCE.scorer;
  const result: Rejudged = { verdicts: 0, rewards: 0, differences: [] };
  const differ = (seq: number, what: Difference['what'], recorded: unknown, again: unknown): void => {
    if (recorded !== again && JSON.stringify(recorded) !== JSON.stringify(again))
      result.differences.push({ seq, what, recorded, again });
  };
  /** By lane: a verdict is of its own lane's page. */
  const facts = new Map<string, EventOf<'evidence'>['facts']>();
  /** The score that the verdict before calls for, with the verdict's number. */
  let expected: { reward: ScoredStep; seq: number } | undefined;
  const missed = (): void => {
    // Earlier scorers gave the last look no score, and did not know the pictures.
    const isOld = expected?.reward.final === undefined && expected?.reward.amended === undefined;
    const isWanted = isOld || isOfTheseRules;
    if (expected && isWanted) differ(expected.seq, 'reward', undefined, expected.reward);
    expected = undefined;
  };
  const steps = new Set<string>();
  for (const event of events) {
    // A score follows its verdict at once; one that does not was taken out. At the very end a kill may have come between the two.
    if (event.type !== 'reward') missed();
    switch (event.type) {
      case 'tool_call':
        // Looks of the agent and calls of the harness are in the journal, and in no score.
        if (isStep(event) || event.continues) steps.add(event.callId);
        scorer.onCall(event, isStep(event));
        break;
      case 'tool_result':
        scorer.onResult(event, steps.has(event.callId));
        break;
      case 'progress':
        scorer.onProgress(event);
        break;
      case 'evidence':
        differ(event.seq, 'state', event.state, scorer.fingerprint(event));
        scorer.onEvidence(event);
        if (event.facts) facts.set(laneOf(event), event.facts);
        break;
      case 'contract_eval': {
        const again = evaluateFacts(contract, facts.get(laneOf(event)) ?? {});
        result.verdicts++;
        differ(event.seq, 'verdict', event.verdict, again.verdict);
        differ(event.seq, 'evidence', event.evidence, again);
        const reward = scorer.onVerdict(event);
        expected = reward && { reward, seq: event.seq };
        break;
      }
      case 'screenshot': {
        const reward = scorer.onPicture(event);
        expected = reward && { reward, seq: event.seq };
        break;
      }
      case 'reward': {
        const { score, classification, tier, reasons, confidence, contribution, final, amended } = event;
        const recorded = { score, classification, tier, reasons, confidence, contribution, final, amended };
        result.rewards++;
        differ(event.seq, 'reward', recorded, expected?.reward);
        expected = undefined;
        break;
      }
      default:
    }
  }
  return result;
}

/** By their text: a run has many attempts at each of its tasks. */
const known = new Map<string, Contract>();
const MOST_KNOWN = 1_000;

function contractOf(start: EventOf<'start'> | undefined): Contract {
  const success: unknown = Object(start?.task).success;
  const text = JSON.stringify(success) ?? '';
  const before = known.get(text);
  if (before) return before;
  const parsed = parseContract(success);
  if (!parsed.ok) throw new Error(`The journal's task has no valid contract: ${parsed.problems[0]?.message}`);
  if (known.size < MOST_KNOWN) known.set(text, parsed.contract);
  return parsed.contract;
}
