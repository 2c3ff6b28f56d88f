/**
 * The data of the trajectory ledger: one node per attempt, bounded in number and size, without secrets.
 * This file builds or refuses the lines; the journal module writes them to a file.
 */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { sha256Hex } from '../hashes/index.ts';
import { type RedactOptions, redactText, summarizeArguments } from './redact.ts';
import type { RewardClassification } from './types.ts';

export type AttemptStatus = 'success' | 'error' | 'no_progress' | 'recovered' | 'aborted';

/** One line of the ledger. */
export interface TrajectoryNode {
  id: string;
  parent: string | null;
  tool: string;
  /** Redacted: names, refs and short values, never typed text. */
  arguments: string;
  status: AttemptStatus;
  /** `kind:tool:hash`: the same failure of the same call has the same fingerprint. */
  failure?: string;
  /** The tool that recovered from the failure. */
  recoveryTool?: string;
  reward?: { score: number; classification: RewardClassification };
}

/** One attempt, before it is redacted. */
export interface Attempt {
  tool: string;
  arguments?: unknown;
  status: AttemptStatus;
  /** The node that this attempt follows; the latest node by default. */
  parent?: string | null | undefined;
  failureKind?: string | undefined;
  recoveryTool?: string | undefined;
  reward?: { score: number; classification: RewardClassification } | undefined;
}

export interface LedgerLimits {
  nodes: number;
  nodeBytes: number;
  fileBytes: number;
}
export const LEDGER_LIMITS: LedgerLimits = { nodes: 2000, nodeBytes: 2048, fileBytes: 2 * 1024 * 1024 };

/** How full a ledger is. It has no other state. */
export interface LedgerState {
  readonly nodes: number;
  readonly bytes: number;
  readonly last: string | null;
  /** Attempts that did not fit. */
  readonly dropped: number;
}
export const EMPTY_LEDGER: LedgerState = Object.freeze({ nodes: 0, bytes: 0, last: null, dropped: 0 });

export interface LedgerStep {
  state: LedgerState;
  node: TrajectoryNode;
  /** The JSONL line with its newline; undefined when the ledger is full. */
  line: string | undefined;
}

/**
 * Adds an attempt. Never throws: an attempt that does not fit is counted as dropped.
 *
 * @example
 * const { node } = appendAttempt(EMPTY_LEDGER, { tool: 'interact', arguments: { ref: 'e3' }, status: 'error', failureKind: 'stale_ref' });
 * node.failure; // => 'stale_ref:interact:35f8b844'
 */
export function appendAttempt(
  state: LedgerState,
  attempt: Attempt,
  options: RedactOptions & { limits?: LedgerLimits | undefined } = {},
): LedgerStep {
  const limits = options.limits ?? LEDGER_LIMITS;
  const node = shrinkToFit(
    buildNode(`n${state.nodes + state.dropped + 1}`, state.last, attempt, options),
    limits.nodeBytes,
  );
  const line = `${JSON.stringify(node)}\n`;
  const bytes = byteLength(line);
  if (bytes > limits.nodeBytes || state.nodes >= limits.nodes || state.bytes + bytes > limits.fileBytes) {
    return { state: { ...state, dropped: state.dropped + 1 }, node, line: undefined };
  }
  return { state: { ...state, nodes: state.nodes + 1, bytes: state.bytes + bytes, last: node.id }, node, line };
}

/** The kind of failure that a fingerprint names. */
export function failureKindOf(fingerprint: string): string {
  return fingerprint.slice(0, Math.max(0, fingerprint.indexOf(':')));
}

function buildNode(id: string, last: string | null, attempt: Attempt, options: RedactOptions): TrajectoryNode {
  const tool = redactText(attempt.tool, options);
  const summary = summarizeArguments(attempt.arguments, options);
  const node: TrajectoryNode = {
    id,
    parent: attempt.parent === undefined ? last : attempt.parent,
    tool,
    arguments: summary,
    status: attempt.status,
  };
  if (attempt.failureKind !== undefined)
    node.failure = fingerprint(redactText(attempt.failureKind, options), tool, summary);
  if (attempt.recoveryTool !== undefined) node.recoveryTool = redactText(attempt.recoveryTool, options);
  if (attempt.reward !== undefined) {
    node.reward = { score: attempt.reward.score, classification: attempt.reward.classification };
  }
  return node;
}

/** The hash covers the redacted summary, because the hash of a short password could be reversed by guessing. */
function fingerprint(kind: string, tool: string, summary: string): string {
  return `${kind.replaceAll(':', '_')}:${tool}:${sha256Hex(summary).slice(0, 8)}`;
}

/** Only the summary can be long, so it is cut to the longest part that fits. */
function shrinkToFit(node: TrajectoryNode, nodeBytes: number): TrajectoryNode {
  const fits = (tried: TrajectoryNode) => byteLength(`${JSON.stringify(tried)}\n`) <= nodeBytes;
  if (fits(node)) return node;
  const cut = (length: number) => ({ ...node, arguments: length === 0 ? '' : `${node.arguments.slice(0, length)}…` });
  let low = 0;
  let high = node.arguments.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(cut(middle))) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

function byteLength(text: string): number {
  return utf8ToBytes(text).length;
}
