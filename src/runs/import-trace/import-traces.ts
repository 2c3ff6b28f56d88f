/** Traces that were made elsewhere become a run: one task, one trial per trace. It can be viewed, reported, exported and graded like any other. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type LoadedTask, loadTasks, taskHash } from '../../cases/index.ts';
import { WaymarkError } from '../../errors/index.ts';
import type { RunPlan } from '../../events/index.ts';
import { FolderRunStore } from '../folder/folder-run-store.ts';
import { newRunId } from '../run-id.ts';
import { hashOf, suiteOf } from '../run-inputs.ts';
import { type WrittenReports, writeReports } from '../write-reports.ts';
import { IMPORTED, importedJournal } from './imported-journal.ts';
import { badTrace, readTrace } from './read-trace.ts';
import type { Trace } from './trace-part.ts';

/** Bytes of one trace: it is held in memory. */
const MAX_BYTES = 256 * 1024 * 1024;

export interface ImportChoices {
  files: readonly string[];
  /** The file of the task that the agent worked on. */
  task: string;
  /** The folder of the run; by default `.waymark/runs/<run-id>`. */
  out?: string | undefined;
  cwd: string;
  version: string;
  now?: Date | undefined;
}

export interface ImportedRun extends WrittenReports {
  root: string;
  traces: (Trace & { file: string })[];
}

export async function importTraces(choices: ImportChoices): Promise<ImportedRun> {
  const { files, cwd, out, now = new Date() } = choices;
  const loaded = await oneTask(path.resolve(cwd, choices.task));
  const { task, dataset } = loaded;
  const read = files.map((file) => readFile(path.resolve(cwd, file), file));
  const runId = newRunId(now);
  const root = path.resolve(cwd, out ?? path.join('.waymark', 'runs', runId));
  const environment = {
    waymark: choices.version,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const attempts = read.map(({ trace, startedAt }, index) => {
    const attempt = { runId, caseId: task.id, trial: index + 1, attempt: 1 };
    return { attempt, events: importedJournal(trace, { attempt, task, dataset, environment, startedAt }) };
  });
  const plan = planOf(loaded, read, { runId, createdAt: now.getTime() });
  using store = new FolderRunStore(root);
  await store.addFinished(plan, attempts);
  const reports = await writeReports(root);
  return { root, ...reports, traces: read.map(({ trace, file }) => ({ ...trace, file })) };
}

interface ReadTrace {
  file: string;
  trace: Trace;
  startedAt: number;
  digest: string;
}

function readFile(file: string, name: string): ReadTrace {
  let bytes: Buffer;
  let startedAt: number;
  try {
    const { size, mtimeMs } = statSync(file);
    if (size > MAX_BYTES) throw badTrace(name, `it has more than ${MAX_BYTES / 1024 / 1024} MiB`);
    bytes = readFileSync(file);
    startedAt = Math.floor(mtimeMs);
  } catch (cause) {
    if (cause instanceof WaymarkError) throw cause;
    throw new WaymarkError({ code: 'usage_no_such_file', message: `The file ${name} can't be read.`, cause });
  }
  const digest = createHash('sha256').update(bytes).digest('hex');
  return { file: name, trace: readTrace(name, bytes.toString()), startedAt, digest };
}

async function oneTask(file: string): Promise<LoadedTask> {
  const [task, another] = await loadTasks([file]);
  if (task && !another) return task;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `${file} holds ${another ? 'several tasks' : 'no task'}; a trace belongs to one.`,
    hint: 'Give the file of one task with --task.',
  });
}

function planOf(loaded: LoadedTask, read: readonly ReadTrace[], about: Pick<RunPlan, 'runId' | 'createdAt'>): RunPlan {
  const { task } = loaded;
  const formats = [...new Set(read.map(({ trace }) => trace.format))];
  const name = read[0]?.trace.agent?.name;
  const of = {
    agent: IMPORTED,
    [`the task ${task.id}`]: taskHash(task),
    ...Object.fromEntries(read.map(({ digest }, index) => [`the trace of trial ${index + 1}`, digest])),
  };
  return {
    ...about,
    suite: suiteOf([loaded]),
    variant: {
      kind: 'agent',
      agent: { kind: IMPORTED, ...(name === undefined ? {} : { name }), config: { formats } },
      server: { name: IMPORTED },
    },
    trials: read.length,
    cells: read.map((_, index) => ({ caseId: task.id, trial: index + 1 })),
    inputs: { hash: hashOf(of), of },
  };
}
