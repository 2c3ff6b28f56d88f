/** What a command may touch of the world: two streams, the environment, a folder. Tests give their own. */
import { styleText } from 'node:util';

export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Modest colour where the output is a terminal that wants it; plain text everywhere else. */
  paint: (style: Style, text: string) => string;
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red';

export function processTerminal(): Terminal {
  // A reader that closes early (`waymark --help | head -1`) is no failure.
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
