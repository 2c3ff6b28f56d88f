/** How direct the paths were, as a table of `report.md`. */
import type { EpisodeResult } from '../events/index.ts';

export const WANDERING_HEAD = `## Wandering

Steps without progress with their runs, loops, moves back to a state visited before, actions without effect, steps without reward, and the length of the known solution divided by the steps taken.

| task | without progress (runs) | loops (steps) | revisited | no effect | without reward | path efficiency |
|---|---|---|---|---|---|---|
`;

export function wanderingRow(name: string, { noProgressEpisodes, wandering }: EpisodeResult): string {
  const cells = [
    name,
    `${noProgressEpisodes} (${wandering.noProgressRuns})`,
    `${wandering.repeatedLoops} (${wandering.loopedSteps})`,
    percent(wandering.revisitedStateRatio),
    wandering.actionsWithoutEffect,
    wandering.stepsWithoutReward ?? '–',
    percent(wandering.pathEfficiency),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Null is unknown, and never zero. */
function percent(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 100)} %`;
}
