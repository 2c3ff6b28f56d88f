/** Who did what in one attempt, in `report.md`. */
import type { Delegation, EpisodeResult, RoleMetrics } from '../events/index.ts';
import { costText, tokenText, UNKNOWN } from '../view/index.ts';

const WHERE = { plan: 'the plan', execution: 'the execution', hand_off: 'a hand-off' } as const;

export function teamOf(name: string, { roles = [], delegations = [], failureOrigin }: EpisodeResult): string {
  return [
    `### ${name}`,
    '',
    ...(failureOrigin ? [`The failure arose in ${WHERE[failureOrigin.where]}. ${failureOrigin.reason}`, ''] : []),
    '| role | steps | errors | reward | tokens in / out | cost | thinking | tools |',
    '|---|---|---|---|---|---|---|---|',
    ...roles.map(rowOf),
    '',
    ...(delegations.length > 0 ? [...delegations.map(itemOf), ''] : []),
  ].join('\n');
}

function rowOf({ role, executorId = role, steps, errors, reward, usage, thinkingMs, toolMs }: RoleMetrics): string {
  const cells = [
    executorId,
    steps,
    errors,
    reward === null ? '–' : reward.toFixed(2),
    usage ? `${tokenText(usage.inputTokens)} / ${tokenText(usage.outputTokens)}` : '–',
    usage ? costText(usage.costUsd) : '–',
    thinkingMs === null ? (usage ? UNKNOWN : '–') : seconds(thinkingMs),
    seconds(toolMs),
  ];
  return `| ${cells.join(' | ')} |`;
}

function itemOf({ executorId, instruction, status, summary, stepsUsed }: Delegation, index: number): string {
  const steps = `${stepsUsed} ${stepsUsed === 1 ? 'step' : 'steps'}`;
  return `${index + 1}. **${executorId}**, ${status}, ${steps}: ${oneLine(instruction)}\n   - ${oneLine(summary)}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299).toWellFormed()}…` : line;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
