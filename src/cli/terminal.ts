/** The outside world as a command sees it: two streams, the environment, a working folder. Tests pass their own. */
import { styleText } from 'node:util';
import { EXIT } from './exit-code.ts';

export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Adds colour if the output is a terminal that supports it. */
  paint: (style: Style, text: string) => string;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** There where `err` is a terminal, whose last line can be drawn again. */
  screen?: { columns: () => number };
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

export function processTerminal(): Terminal {
  process.stderr.on('error', () => {
    // There is no other place to say it; the command goes on and writes its files.
  });
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isReaderGone(error)) loseOutput(error);
  });
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    // styleText itself honours NO_COLOR, FORCE_COLOR and whether the stream is a terminal.
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    env: process.env,
    cwd: process.cwd(),
    ...(process.stderr.isTTY ? { screen: { columns: () => process.stderr.columns || 80 } } : {}),
  };
}

/** A reader that closes early (`waymark --help | head -1`) and a terminal that was closed are no errors. */
function isReaderGone({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET';
}

let isLost = false;

/** What a script waits for is not there, whatever the command came to: it must not see success. */
function loseOutput(error: Error): void {
  if (isLost) return;
  isLost = true;
  process.stderr.write(`waymark: The standard output could not be written: ${error.message}.\n`);
  process.once('exit', () => {
    process.exitCode = EXIT.harness;
  });
}
