/** What a recorded episode costs afterwards: its bytes on the disk, and the processor's time to score it again. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunPlan } from '../src/events/index.ts';
import { attemptPath, FolderRunStore } from '../src/runs/index.ts';
import { writeManifest } from '../src/runs/integrity/manifest.ts';
import type { BenchRow } from './measure.ts';
import type { Measured } from './runs-command.ts';

/** So many that the start of the scorer does not count. */
const COPIES = 2_000;

/** `root`: the folder of a finished run, whose first episode stands for all. */
export async function storedFigures(root: string, plan: RunPlan): Promise<BenchRow[]> {
  const [cell] = plan.cells;
  if (!cell) throw new Error('The run has no episode.');
  const folder = path.join(root, attemptPath({ ...cell, attempt: 1 }));
  const all = bytesIn(folder);
  const pictures = bytesIn(path.join(folder, 'screenshots'));
  return [
    { name: 'on disk an episode, without its pictures', value: (all - pictures) / 1000, unit: 'kB', goal: 100 },
    { name: 'on disk an episode, pictures and all', value: all / 1000, unit: 'kB' },
    {
      name: 'rescore (goal at least 2000)',
      value: await rescoreRate(path.join(folder, 'events.jsonl'), plan),
      unit: 'ep/CPU-s',
    },
  ];
}

/** A file with several names counts once. */
function bytesIn(folder: string): number {
  const sizes = new Map<number, number>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const found = lstatSync(path.join(folder, entry));
    if (found.isFile()) sizes.set(found.ino, found.size);
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function rescoreRate(journal: string, recorded: RunPlan): Promise<number> {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-rescore-'));
  try {
    const [first] = recorded.cells;
    const cells = Array.from({ length: COPIES }, (_, index) => ({ caseId: String(first?.caseId), trial: index + 1 }));
    const plan = { ...recorded, trials: COPIES, cells };
    using store = new FolderRunStore(root);
    await store.create(plan);
    const text = readFileSync(journal, 'utf8');
    for (const cell of cells) {
      const folder = path.join(root, attemptPath({ ...cell, attempt: 1 }));
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'events.jsonl'), text.replace('"trial":1', `"trial":${cell.trial}`));
    }
    await store.end(plan.runId, plan.createdAt);
    // As the reports of a run leave it.
    writeManifest(root, plan.runId);
    const command = path.join(import.meta.dirname, 'runs-command.ts');
    const printed = execFileSync(process.execPath, [command, 'rescore', root], { encoding: 'utf8' });
    const { cpuMs } = JSON.parse(printed) as Measured;
    return COPIES / (cpuMs / 1000);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
