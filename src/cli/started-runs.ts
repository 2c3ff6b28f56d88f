/** Whether `waymark serve` starts runs, and with what. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { isRun, StartedRuns } from '../runs/local.ts';
import { isLoopback } from '../server/index.ts';
import type { Terminal } from './terminal.ts';
import { packageRoot } from './version.ts';

/**
 * A run is a program on the server's machine, with the server's environment and its keys. Where only people of this machine reach the server,
 * they can start it at the command line as well. Where a token lets others in, that has to be said: it gives them more than reading.
 */
export function allowsRuns(
  given: string | undefined,
  { host, token }: { host: string; token: string | undefined },
): boolean {
  if (given === undefined) return isLoopback(host) && token === undefined;
  if (given === 'yes' || given === 'no') return given === 'yes';
  throw new WaymarkError({ code: 'usage_bad_value', message: `--allow-runs is "yes" or "no", but got "${given}".` });
}

export function startedRuns(
  flags: { suites?: string | undefined; variants?: string | undefined },
  runs: readonly string[],
  { cwd, env }: Terminal,
): StartedRuns {
  const main = path.join(import.meta.dirname, `main${path.extname(import.meta.filename)}`);
  const own = (name: string) => [path.join(packageRoot, 'dist', name), path.join(packageRoot, name)].find(existsSync);
  return new StartedRuns({
    command: [process.execPath, main],
    // A folder that is a run itself can't take another one.
    runs: runs.find((place) => !isRun(place)) ?? path.join(cwd, '.waymark', 'runs'),
    suites: [...foldersOf(flags.suites, 'tasks', cwd), own('suites') ?? ''].filter(existsSync),
    variants: [...foldersOf(flags.variants, 'variants', cwd), own('variants') ?? ''].filter(existsSync),
    cwd,
    env,
  });
}

/** What was named must be there; the default need not. */
function foldersOf(given: string | undefined, usual: string, cwd: string): string[] {
  const folders = (given?.split(',') ?? [usual]).map((name) => path.resolve(cwd, name.trim()));
  const missing = given === undefined ? undefined : folders.find((folder) => !existsSync(folder));
  if (missing === undefined) return folders;
  throw new WaymarkError({ code: 'usage_bad_value', message: `There is no folder ${missing}. Nothing was started.` });
}
