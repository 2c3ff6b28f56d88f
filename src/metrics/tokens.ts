/**
 * Token counts, always estimates: the model under test may use another tokenizer than o200k.
 * The tokenizer's tables take about 0.3 s to load, so they are loaded on request and not with the module.
 */
import type { MetricEvent } from './events.ts';
import { percentile } from './percentile.ts';

export interface TokenCount {
  tokens: number;
  estimate: true;
  /** The text was longer than `TOKEN_LIMITS.text`, and the rest was extrapolated from the counted part. */
  extrapolated: boolean;
}

export interface TokenCounter {
  readonly encoding: 'o200k_base';
  count(text: string): TokenCount;
}

/**
 * The longest text that is counted, and the longest piece given to the tokenizer. Its time is quadratic in a text without breaks
 * (measured: 200,000 times `x` took 30 s), so pieces are short.
 * The last `remembered` texts are not counted again: the trials of a task show much the same pages.
 */
export const TOKEN_LIMITS = { text: 262_144, piece: 256, remembered: 256 } as const;

/**
 * Loads the tokenizer. Texts that look like its control tokens (`<|endoftext|>`) are counted as plain text.
 *
 * @example
 * const counter = await loadTokenCounter();
 * counter.count('hello world'); // => { tokens: 2, estimate: true, extrapolated: false }
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const asText = { disallowedSpecial: new Set<string>() };
  const known = new Map<string, TokenCount>();
  const remember = (text: string, count: TokenCount): TokenCount => {
    const [oldest] = known.size >= TOKEN_LIMITS.remembered ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
    known.set(text, count);
    return count;
  };
  return {
    encoding: 'o200k_base',
    count(text) {
      const before = known.get(text);
      if (before) return before;
      const counted = text.slice(0, TOKEN_LIMITS.text);
      let tokens = 0;
      for (const piece of piecesOf(counted)) tokens += countTokens(piece, asText);
      const extrapolated = counted.length < text.length;
      if (extrapolated) tokens = Math.round((tokens * text.length) / counted.length);
      return remember(text, { tokens, estimate: true, extrapolated });
    },
  };
}

export interface TokenSummary {
  count: number;
  total: number;
  median: number | null;
  max: number | null;
}

export interface EpisodeTokens {
  estimate: true;
  encoding: TokenCounter['encoding'];
  /** What the agent wrote: tool name and arguments of each call. */
  perCall: TokenSummary;
  /** What the agent was shown: the text of each result that has one. */
  perObservation: TokenSummary;
}

/** Tokens of the agent's calls and of their results. */
export function episodeTokens(events: Iterable<MetricEvent>, counter: TokenCounter): EpisodeTokens {
  const calls: number[] = [];
  const observations: number[] = [];
  /** Whether the newest call of each lane is a step; results follow their call within a lane. */
  const isStep = new Map<string, boolean>();
  for (const event of events) {
    if (event.type === 'tool_call') {
      const counts = event.by !== 'harness' && event.look !== true && event.continues !== true;
      isStep.set(event.executorId ?? 'main', counts);
      if (counts) calls.push(counter.count(`${event.tool} ${JSON.stringify(event.arguments ?? {})}`).tokens);
    } else if (event.type === 'tool_result' && event.text !== undefined) {
      if (isStep.get(event.executorId ?? 'main') !== false) observations.push(counter.count(event.text).tokens);
    }
  }
  return { estimate: true, encoding: counter.encoding, perCall: summary(calls), perObservation: summary(observations) };
}

function summary(counts: readonly number[]): TokenSummary {
  return {
    count: counts.length,
    total: counts.reduce((sum, count) => sum + count, 0),
    median: percentile(counts, 50),
    max: percentile(counts, 100),
  };
}

/** Cuts before a space that follows a word. The tokenizer cuts there too, so the count stays exact. */
export function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > TOKEN_LIMITS.piece) {
    let to = from + TOKEN_LIMITS.piece;
    while (to > from && !(text[to] === ' ' && /\S/.test(text[to - 1] ?? ''))) to--;
    if (to === from) to = wholeCharacter(text, from + TOKEN_LIMITS.piece);
    yield text.slice(from, to);
    from = to;
  }
  yield text.slice(from);
}

/** Does not cut between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\uD800-\uDBFF]/.test(text[at - 1] ?? '') ? at - 1 : at;
}
