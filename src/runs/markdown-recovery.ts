/** The tree of recovery search in one attempt, in `report.md`. */
import type { RecoveryFork, RecoverySearches } from '../events/index.ts';
import { short } from '../view/index.ts';
import { seconds } from './markdown-team.ts';

export function recoveryOf(name: string, searches: RecoverySearches): string {
  const { limit, replays, calls, durationMs, substituted, forks } = searches;
  return [
    `### ${name}`,
    '',
    `${replays} of ${limit} replays, ${calls} calls in ${seconds(durationMs)}, none of it charged to the agent. Steps at which the harness made another call than the agent’s: ${substituted}.`,
    '',
    ...(forks.length > 0
      ? [
          '| step | after | replayed | from | call | score | outcome | carried out |',
          '|---|---|---|---|---|---|---|---|',
        ]
      : []),
    ...forks.flatMap(rowsOf),
    '',
  ].join('\n');
}

function rowsOf({ step, trigger, prefix, candidates, chosen }: RecoveryFork): string[] {
  return candidates.map(({ from, tool, arguments: args, score, outcome, reason }, index) => {
    const call = cellText(`${tool} ${JSON.stringify(args ?? {})}`).replaceAll('`', "'");
    const cells = [
      step,
      trigger,
      prefix,
      from === 'agent' ? 'agent' : 'harness',
      `\`${call}\``,
      score ?? '–',
      reason === undefined ? outcome : `${outcome}: ${cellText(reason)}`,
      index === chosen ? 'yes' : '',
    ];
    return `| ${cells.join(' | ')} |`;
  });
}

function cellText(text: string): string {
  return short(text.replace(/\s+/g, ' '), 200).replaceAll('|', '\\|');
}
