/** One run of a grading program: input in, bounded output out, within a time. Whatever happens, nothing of it is left running. */
import { BoundedOutput, cleanEnvironment, type ProcessFolder, ProgramProcess } from '../../tools/index.ts';
import { StdoutText } from './stdout-text.ts';

/** Beside its folders, a program gets these variables of ours and no other: no key is among them. */
export const PASSED_VARIABLES = ['PATH', 'LANG', 'LC_ALL', 'TZ'] as const;

export interface ProgramRun {
  /** The program's absolute path, and its arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly input: string;
  readonly timeoutMs: number;
  /** Its HOME and its temporary files; removed when this settles. */
  readonly folder: ProcessFolder;
  readonly signal: AbortSignal;
}

export interface ProgramEnd {
  /** Why its output can't be used, as the end of a sentence about the program; undefined where it exited with 0. */
  readonly problem: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws the signal's reason when the work is stopped. */
export async function runProgram({ command, cwd, input, timeoutMs, folder, signal }: ProgramRun): Promise<ProgramEnd> {
  const stdout = new StdoutText();
  const stderr = new BoundedOutput({ redact: (text) => text, onLine: () => {} });
  const ours = Object.fromEntries(PASSED_VARIABLES.map((name) => [name, process.env[name]]));
  let problem: string | undefined;
  {
    await using program = start();
    const time = AbortSignal.timeout(timeoutMs);
    problem = await Promise.race([
      program.exited.then(({ code, how }) => (code === 0 ? undefined : how)),
      stdout.overflow.then(() => `printed more than ${StdoutText.MAX_BYTES / 1_000_000} MB to stdout, and was ended`),
      aborted(AbortSignal.any([signal, time])).then(() => `ran longer than ${timeoutMs} ms, and was ended`),
    ]);
  }
  signal.throwIfAborted();
  stderr.end();
  return { problem, stdout: stdout.text, stderr: stderr.text };

  function start(): ProgramProcess {
    try {
      const env = cleanEnvironment(folder.home, folder.temporary, {}, ours);
      return new ProgramProcess({ command, cwd, input, env, folder, stdout, stderr });
    } catch (error) {
      folder.remove();
      throw error;
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
