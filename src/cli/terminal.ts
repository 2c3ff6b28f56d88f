/** The outside world as a command sees it: two streams, the environment, a working folder. Tests pass their own. */
import { styleText } from 'node:util';

export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Adds colour if the output is a terminal that supports it. */
  paint: (style: Style, text: string) => string;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

export function processTerminal(): Terminal {
  // A reader that closes early (`waymark --help | head -1`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    // styleText itself honours NO_COLOR, FORCE_COLOR and whether the stream is a terminal.
    paint: (style, text) => styleText(style, text, { stream: process.stdout }),
    env: process.env,
    cwd: process.cwd(),
  };
}
