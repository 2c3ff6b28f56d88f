/** Servers under measurement, each a process of its own: its memory is its own, and its work is not the client's. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { peakMiB } from './measure.ts';

export interface ServerChild extends AsyncDisposable {
  readonly url: string;
  /** The most memory that the process has had so far, in MiB; NaN where the system does not tell. */
  peakMiB(): number;
}

export const serveWaymark = (flags: readonly string[]): Promise<ServerChild> =>
  startChild(['src/cli/main.ts', 'serve', '--port', '0', '--json', ...flags]);

export const serveBare = (): Promise<ServerChild> => startChild(['bench/server-bare.ts']);

async function startChild(args: readonly string[]): Promise<ServerChild> {
  const root = path.dirname(import.meta.dirname);
  const child = spawn(process.execPath, [...args], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const line = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  if (typeof line[0] !== 'string') throw new Error(`${args.join(' ')} did not start.`);
  const { url } = JSON.parse(line[0]) as { url: string };
  return {
    url,
    peakMiB: () => peakMiB(child.pid),
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      child.kill('SIGTERM');
      await exited;
    },
  };
}
