/** Runs that a server under test starts: the real command, into the folder `runs` of a test's own folder. */
import path from 'node:path';
import { StartedRuns } from '../../src/runs/index.ts';

const MAIN = [process.execPath, path.resolve(import.meta.dirname, '../../src/cli/main.ts')];

type Options = ConstructorParameters<typeof StartedRuns>[0];

export function startedRunsIn(folder: string, options: Partial<Options>): StartedRuns {
  const runs = path.join(folder, 'runs');
  return new StartedRuns({
    command: MAIN,
    runs,
    suites: [],
    variants: [],
    cwd: folder,
    env: process.env,
    ...options,
  });
}
