/** A process that another one has started as its own part ends when its input does: also when that other one was killed. */
import { END_WITH_INPUT } from '../runs/tasks.ts';
import { endOfInput } from './end-of-input.ts';

/** Undefined where the process that started this one does not ask for it. */
export function inputEnd(env: Readonly<Record<string, string | undefined>>): Promise<'end of input'> | undefined {
  if (env[END_WITH_INPUT] !== '1') return undefined;
  const ended = endOfInput();
  process.stdin.resume();
  // Who waits for nothing else may end.
  process.stdin.unref();
  return ended.then(() => 'end of input');
}
