/** One command of bench/runs.ts in a process of its own: counts how often each journal is opened, and how much memory it took at most. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { peakMiB } from './measure.ts';

export interface Measured {
  /** Of the processor: on a machine that does other things too, time on the clock says little. */
  cpuMs: number;
  ms: number;
  peakMiB: number;
  /** The most that one journal was read. */
  reads: number;
  /** The most that one journal's last line was looked at. */
  tails: number;
}

const [command = '', root = ''] = process.argv.slice(2);
const counts = { reads: new Map<string, number>(), tails: new Map<string, number>() };

/** Whole reads go by `promises.open` and `readFileSync`; a look at the last line by `openSync`. */
function count(kind: keyof typeof counts, file: unknown): void {
  if (typeof file !== 'string' || !/episodes.*events\.jsonl$/.test(file)) return;
  counts[kind].set(file, (counts[kind].get(file) ?? 0) + 1);
}
const { open } = fs.promises;
const { openSync, readFileSync, createReadStream } = fs;
fs.promises.open = (file, ...rest) => {
  count('reads', file);
  return open(file, ...rest);
};
fs.readFileSync = ((file: string, ...rest: []) => {
  count('reads', file);
  return readFileSync(file, ...rest);
}) as typeof fs.readFileSync;
fs.createReadStream = ((file: string, ...rest: []) => {
  count('reads', file);
  return createReadStream(file, ...rest);
}) as typeof fs.createReadStream;
fs.openSync = (file, ...rest) => {
  count('tails', file);
  return openSync(file, ...rest);
};
syncBuiltinESMExports();

// Only now: what it imports takes the functions above.
const { casesOfRun, FolderRunStore, gradeRun, prepareGrading, readRunFile, rescoreRun, writeReports } = await import(
  '../src/runs/index.ts'
);
const { makeGrader } = await import('../src/graders/index.ts');
const started = performance.now();
const before = process.cpuUsage();
if (command === 'report') await writeReports(root);
else if (command === 'rescore') await rescoreRun(root);
else if (command.startsWith('grade')) await grade();
else {
  let finished = 0;
  for await (const { state } of new FolderRunStore(root).cells(readRunFile(root).plan.runId))
    if (state === 'finished') finished++;
  if (finished === 0) throw new Error('no cell is finished');
}
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const most = (of: ReadonlyMap<string, number>): number => Math.max(0, ...of.values());
const measured: Measured = {
  cpuMs: (user + system) / 1000,
  ms,
  peakMiB: peakMiB('self'),
  reads: most(counts.reads),
  tails: most(counts.tails),
};
if (command !== 'index' && counts.reads.size === 0) throw new Error('no read of a journal was counted');
process.stdout.write(JSON.stringify(measured));

/** By graders that ask no model; the second time each says what it said before. */
async function grade(): Promise<void> {
  const { runId } = readRunFile(root).plan;
  using store = new FolderRunStore(root);
  const graders = await Promise.all([
    makeGrader({ grader: 'contract' }, { folder: root }),
    makeGrader({ grader: 'trajectory', maxSteps: 50, maxErrors: 5 }, { folder: root }),
    makeGrader({ grader: 'network', expect: [{ url: '^http.*/forbidden$', shouldNotExist: true }] }, { folder: root }),
    makeGrader({ grader: 'answer', checker: { kind: 'contains', any: ['done', 'sent'] } }, { folder: root }),
  ]);
  const cases = await casesOfRun(store, runId, root);
  const grading = await prepareGrading(cases, { graders, folder: root }, {});
  const { signal } = new AbortController();
  let given = 0;
  let unchanged = 0;
  const onGrade = ({ isUnchanged }: { isUnchanged: boolean }): void => {
    given++;
    if (isUnchanged) unchanged++;
  };
  await gradeRun({ ...grading, store, runId, signal, onGrade });
  if (given === 0) throw new Error('nothing was graded');
  if (unchanged !== (command === 'grade' ? 0 : given))
    throw new Error(`${unchanged} of ${given} grades were as before`);
}
