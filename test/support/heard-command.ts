/** The command line in this process, with what it said. */
import { runCommandLine } from '../../src/cli/run.ts';

export async function heardCommand(args: string[], cwd: string): Promise<{ code: number; out: string; err: string }> {
  const heard = { out: '', err: '' };
  const code = await runCommandLine(args, {
    out: (text) => {
      heard.out += text;
    },
    err: (text) => {
      heard.err += text;
    },
    paint: (_, text) => text,
    env: {},
    cwd,
  });
  return { code, ...heard };
}
