/** Runs a command to its end. It is asynchronous, so that the time limit of a test can end it. */
import { spawn } from 'node:child_process';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

export function runProcess(
  command: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

/** The environment of a user's shell, without the variables of the npm and vitest that run this test. */
export function plainEnvironment(changes: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|vitest|VITEST|NODE_ENV|NODE_OPTIONS|INIT_CWD|FORCE_COLOR)/.test(name),
  );
  return { ...Object.fromEntries(own), ...changes };
}
