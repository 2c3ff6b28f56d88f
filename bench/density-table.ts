/** The figures of `bench:density` as a table, and what bounds the number of agents. */
import type { DensityFigures } from './density-measure.ts';

const COLUMNS: readonly [string, (figures: DensityFigures, thinkMs: number) => string][] = [
  ['', ({ contestant }) => (contestant === 'waymark' ? 'Waymark' : 'one browser per agent')],
  ['at once', ({ atOnce }) => String(atOnce)],
  ['failed', ({ failed }) => String(failed.length)],
  ['ready after, s', ({ readySeconds }) => readySeconds.toFixed(1)],
  ['steps/s', ({ stepsPerSecond }) => stepsPerSecond.toFixed(2)],
  ['ideal', ({ atOnce }, thinkMs) => (atOnce / (thinkMs / 1000)).toFixed(2)],
  ['of ideal', ({ shareOfIdeal }) => percent(shareOfIdeal)],
  ['step ms, p50 / p95', ({ stepMs }) => pair(stepMs)],
  ['call ms', ({ harness }) => pair(harness?.callMs)],
  ['answer → reward ms', ({ harness }) => pair(harness?.answerToRewardMs)],
  ['added to the call ms', ({ harness }) => pair(harness?.addedMs)],
  ['reward → picture ms', ({ harness }) => pair(harness?.rewardToPictureMs)],
  ['missed looks', ({ harness }) => String(harness?.missedLooks ?? '')],
  ['missed pictures', ({ harness }) => String(harness?.missedPictures ?? '')],
  ['browser CPU ms/step', ({ browserCpuMsPerStep }) => browserCpuMsPerStep.toFixed(1)],
  ['harness CPU ms/step', ({ harnessCpuMsPerStep }) => harnessCpuMsPerStep.toFixed(1)],
  ['browser processes', ({ browserProcesses }) => String(browserProcesses)],
  ['browser MiB', ({ browserMiB }) => browserMiB.toFixed(0)],
  ['harness MiB', ({ harnessMiB }) => harnessMiB.toFixed(0)],
  ['MiB per agent', (figures) => (totalMiB(figures) / figures.atOnce).toFixed(1)],
  ['CPU used by others', ({ othersShare }) => percent(othersShare)],
];

export function tableOf(all: readonly DensityFigures[], thinkMs: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(COLUMNS.map(([name]) => name)),
    line(COLUMNS.map(() => '---')),
    ...all.map((figures) => line(COLUMNS.map(([, cell]) => cell(figures, thinkMs)))),
  ].join('\n');
}

/** By CPU: as many as the cores could serve if they had nothing else to do. By memory: as many as fit. The smaller is the bound. */
export function boundsOf(
  all: readonly DensityFigures[],
  { thinkMs, cores, limitMiB }: { thinkMs: number; cores: number; limitMiB: number },
): string[] {
  return all.map((figures) => {
    const cpuMs = figures.browserCpuMsPerStep + figures.harnessCpuMsPerStep;
    const byCpu = Math.floor((cores * thinkMs) / cpuMs);
    const byMemory = Math.floor((limitMiB / totalMiB(figures)) * figures.atOnce);
    const bound = byCpu < byMemory ? 'CPU' : 'memory';
    const needed = (figures.atOnce / thinkMs) * cpuMs;
    return (
      `${figures.contestant} at ${figures.atOnce}: ${totalMiB(figures).toFixed(0)} MiB; the ideal rate needs ${needed.toFixed(2)} of ${cores} cores ` +
      `(${cpuMs.toFixed(1)} ms of CPU per step). By CPU at most ${byCpu} agents, by ${limitMiB} MiB at most ${byMemory}: ${bound} is the bound.`
    );
  });
}

function totalMiB({ browserMiB, harnessMiB }: DensityFigures): number {
  return browserMiB + harnessMiB;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function pair(quantiles: { p50: number; p95: number } | undefined): string {
  return quantiles === undefined ? '' : `${quantiles.p50.toFixed(1)} / ${quantiles.p95.toFixed(1)}`;
}
