/** What can be compared: the folder of a run, or a baseline file. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RunSample } from '../../metrics/index.ts';
import { isRun } from '../folder/run-file.ts';
import { type RecordedRun, recordedFolder } from '../recorded-run.ts';
import { readBaseline } from './baseline-file.ts';
import { sampleOfRun } from './sample-of-run.ts';

export interface ReadSample {
  sample: RunSample;
  /** Absent where there is only a baseline: it has no journals. */
  run?: RecordedRun;
}

async function readSample(place: string, checks: string | undefined): Promise<ReadSample> {
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return { sample: readBaseline(place) };
  const run = recordedFolder(place);
  return { sample: await sampleOfRun(run, checks), run };
}

/** `checks`: the folder of checks that failed. */
export async function readSamples(places: readonly string[], checks?: string): Promise<ReadSample[]> {
  const read: ReadSample[] = [];
  for (const place of places) read.push(await readSample(place, checks));
  return read;
}

/** Where several runs have one name, a letter tells them apart. */
export function labelled(read: readonly ReadSample[]): ReadSample[] {
  const counts = Map.groupBy(read, ({ sample }) => sample.name);
  return read.map(({ sample, ...rest }, index) => {
    const isAlone = counts.get(sample.name)?.length === 1;
    return { ...rest, sample: isAlone ? sample : { ...sample, name: `${letterOf(index)}: ${sample.name}` } };
  });
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `run ${index + 1}`;
}

/** A folder of runs stands for the runs in it, oldest first: their ids sort by time. */
export function runsIn(place: string): string[] {
  if (!existsSync(place) || isRun(place) || !statSync(place).isDirectory()) return [place];
  const inside = readdirSync(place)
    .sort()
    .map((name) => path.join(place, name))
    .filter(isRun);
  return inside.length > 0 ? inside : [place];
}
