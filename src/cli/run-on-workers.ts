/** `waymark run <tasks…> --database …`: the run is made here, executed by workers, and comes back as a folder. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { createWorkRun, fetchRun, followRun, resolveWorkRun, resumeWorkRun } from '../runs/index.ts';
import { runsFolder } from '../runs/tasks.ts';
import { type Artifacts, openArtifacts, openStore, type Store } from '../store/index.ts';
import type { FlagValues } from './command.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { parseReporters } from './reporters.ts';
import { runChoices } from './run-choices.ts';
import type { runFlags } from './run-flags.ts';
import { showing, tellReports } from './run-tasks.ts';
import { showPlan } from './show-plan.ts';
import { storePlaces } from './store-flags.ts';
import type { Terminal } from './terminal.ts';

type Flags = FlagValues<typeof runFlags>;

/** They are about a run in this process. */
const OF_ONE_MACHINE = ['concurrency', 'fail-fast', 'watch', 'new'] as const;

export async function runOnWorkers(
  flags: Flags & { database: string },
  terminal: Terminal,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const wrong = OF_ONE_MACHINE.find((name) => flags[name] !== undefined);
  if (wrong !== undefined) {
    throw new WaymarkError({
      code: 'usage_bad_value',
      message: `--${wrong} is for runs on one machine, and with --database workers execute the run. Nothing was run.`,
      hint: wrong === 'concurrency' ? 'Each worker has its own: waymark worker --concurrency <n>.' : 'Leave it out.',
    });
  }
  parseReporters(flags.reporter, terminal, flags);
  if (flags.resume) return await resumeOnWorkers(flags, terminal, operands, signal);
  const choices = await runChoices(flags, operands, terminal);
  const run = await resolveWorkRun(choices);
  if (flags.list || flags.preview) return showPlan(run, { ...choices, list: flags.list, json: flags.json }, terminal);
  const { runId } = run.plan;
  const places = storePlaces(flags, terminal);
  // Workers of another version may be at work in it.
  await using store = await openStore({ ...places.store, mayUpgrade: false });
  const artifacts = await openArtifacts(places.artifacts);
  await createWorkRun({ store, artifacts }, run, { choices, labels: flags['worker-labels']?.split(',') });
  if (flags.detach) {
    terminal.out(flags.json ? `${JSON.stringify({ runId })}\n` : `run ${runId} waits for workers\n`);
    return EXIT.ok;
  }
  return await bringBack({ store, artifacts, runId }, flags, terminal, signal);
}

/** `waymark run <run-id> --resume --database …`: the tasks are with the run. */
async function resumeOnWorkers(
  flags: Flags & { database: string },
  terminal: Terminal,
  operands: readonly string[],
  signal: AbortSignal,
): Promise<ExitCode> {
  const [runId, ...others] = operands;
  if (runId === undefined || others.length > 0)
    throw new WaymarkError({
      code: 'usage_bad_value',
      message:
        'With --database, --resume takes the id of one run, and no tasks: they are with the run. Nothing was run.',
      hint: 'For example: waymark run 0199f0c2-… --resume --database env --artifacts s3://team/waymark',
    });
  const places = storePlaces(flags, terminal);
  await using store = await openStore({ ...places.store, mayUpgrade: false });
  const artifacts = await openArtifacts(places.artifacts);
  const resumed = await resumeWorkRun({ store, artifacts }, runId);
  if (flags.detach) {
    terminal.out(
      flags.json ? `${JSON.stringify({ runId })}\n` : `run ${runId} waits for workers: ${resumed.items} to do\n`,
    );
    return EXIT.ok;
  }
  return await bringBack({ store, artifacts, runId }, flags, terminal, signal);
}

export interface Brought {
  readonly store: Store;
  readonly artifacts: Artifacts;
  readonly runId: string;
}

/** Waits until the run has ended, writes it into a folder and tells of it. */
export async function bringBack(
  { store, artifacts, runId }: Brought,
  flags: Flags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ExitCode> {
  const reporters = parseReporters(flags.reporter, terminal, flags);
  const root = path.resolve(terminal.cwd, flags.out ?? path.join(runsFolder(terminal.cwd), runId));
  const status = await showing(flags, reporters, terminal, async (display) => {
    display.say(`run ${runId} is executed by workers`);
    return await followRun(store, runId, {
      signal,
      onNote: (note) => display.say(note),
      onCell: ({ done, total, status: ended, reason, ...attempt }) =>
        display.ended({ done, total, attempt: { runId, ...attempt }, status: ended, reason, isRetried: false }),
    });
  });
  if (status === undefined) {
    if (!flags.json)
      terminal.err(
        `workers go on with the run; when it has ended: waymark fetch ${runId}. To stop it: waymark runs stop ${runId}\n`,
      );
    return EXIT.harness;
  }
  if (status === 'cancelled' && !flags.json)
    terminal.err(`the run was stopped; to let it go on: waymark run ${runId} --resume with the same database\n`);
  await fetchRun({ store, artifacts }, runId, root);
  const code = await tellReports(root, flags, reporters, terminal);
  return status === 'completed' ? code : EXIT.harness;
}
