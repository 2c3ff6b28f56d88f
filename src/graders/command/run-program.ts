/** One run of a grading program: input in, bounded output out, within a time. Whatever happens, nothing of it is left running. */
import { BoundedOutput, type ProcessFolder, ProgramProcess } from '../../tools/index.ts';
import { codeEnvironment } from '../code-environment.ts';
import { StdoutText } from './stdout-text.ts';

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
      return new ProgramProcess({ command, cwd, input, env: codeEnvironment(folder), folder, stdout, stderr });
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
