/** The user's own program as a grader: JSON on stdin, one JSON object on stdout, whatever it says on stderr kept apart. No shell. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { type CommandSpec, nameOfSpec } from '../../cases/schemas.ts';
import { WaymarkError } from '../../errors/index.ts';
import { findExecutable, ProcessFolder } from '../../tools/index.ts';
import type { Assessment, AttemptReader, Grader, GraderContext } from '../grader.ts';
import { writeAttemptFiles } from './attempt-files.ts';
import { commandInput } from './command-input.ts';
import { runProgram } from './run-program.ts';

const TIMEOUT_MS = 60_000;
/** Beside the program's own time: for its files, and until the last of its processes has ended. */
const MARGIN_MS = 15_000;
/** Larger files of the command are not read for the version. */
const MAX_HASHED_BYTES = 10_000_000;

/** An interpreter's first argument that is a script: without it, every attempt would get an error. */
const SCRIPT = /\.(?:py|rb|pl|php|lua|sh|[cm]?[jt]s)$/i;

/** @throws where the program is not there. */
export function commandGrader(spec: CommandSpec, { folder }: { readonly folder: string }): Grader {
  const name = nameOfSpec(spec);
  const [file = '', ...args] = spec.command;
  const program = findExecutable(file, { PATH: process.env['PATH'], folder });
  if (program === undefined)
    throw bad(
      `The program "${file}" of the grader "${name}" was not found, or may not be run.`,
      'Give its path (relative to the folder of the task), or put its folder into PATH. A script needs a first line with its interpreter and the right to be run, or the interpreter as the program.',
    );
  const [script = ''] = args;
  if (SCRIPT.test(script) && !existsSync(path.resolve(folder, script)))
    throw bad(
      `The script "${script}" of the grader "${name}" is not there: ${path.resolve(folder, script)} does not exist.`,
      'Paths are relative to the folder of the task; `waymark grade` takes it as --tasks.',
    );
  const { timeoutMs = TIMEOUT_MS } = spec;
  const command = [program, ...args];
  return {
    name,
    version: versionOf(spec.command, folder),
    timeoutMs: timeoutMs + MARGIN_MS,
    grade: (attempt, context) => grade(attempt, context, { name, command, cwd: path.resolve(folder), timeoutMs }),
  };
}

interface Program {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
}

async function grade(attempt: AttemptReader, context: GraderContext, program: Program): Promise<Assessment> {
  const { name, command, cwd, timeoutMs } = program;
  const folder = new ProcessFolder();
  let input: string;
  try {
    const artifacts = await writeAttemptFiles(folder.work, attempt);
    input = JSON.stringify(commandInput(attempt, { grader: name, folder: folder.work, artifacts }));
  } catch (error) {
    folder.remove();
    throw error;
  }
  const { signal } = context;
  const { problem, stdout, stderr } = await runProgram({ command, cwd, input, timeoutMs, folder, signal });
  if (stderr !== '') context.keep('stderr.txt', stderr);
  if (problem !== undefined) {
    const [said = ''] = stderr.split('\n').filter((line) => line.trim() !== '');
    return error(`The program ${problem}${said === '' ? '.' : `: ${said.slice(0, 500)}`}`);
  }
  const reply = readReply(stdout);
  if (reply) return reply;
  if (stdout.trim() === '') return error('The program printed nothing to stdout; one JSON object is wanted.');
  context.keep('stdout.txt', stdout);
  return error(`The program printed something other than one JSON object: ${stdout.trim().slice(0, 200)}`);
}

function error(reasoning: string): Assessment {
  return { verdict: 'error', reasoning };
}

function bad(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_grader', message, hint });
}

/** Whether it is a verdict, `gradeAttempt` checks, as of every grader. */
function readReply(stdout: string): Assessment | undefined {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return undefined;
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(value);
  return parsed.success ? (parsed.data as unknown as Assessment) : undefined;
}

/** The program is its command and the files in the task's folder that the command names: another content may give another grade. */
function versionOf(command: readonly string[], folder: string): string {
  const hash = createHash('sha256').update(JSON.stringify(command));
  for (const word of command) hash.update(contentOf(path.resolve(folder, word)));
  return `1+${hash.digest('hex').slice(0, 12)}`;
}

/** Empty for an argument that names no file. */
function contentOf(file: string): Uint8Array {
  try {
    const found = statSync(file);
    if (found.isFile() && found.size <= MAX_HASHED_BYTES) return readFileSync(file);
  } catch {
    // Most arguments are no files, and some could not even be the name of one.
  }
  return new Uint8Array();
}
