/**
 * A file that a tool server can start instead of Chromium, for servers that launch their own browser. It behaves like a browser that has just
 * started, and leads to the gate.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes the file into the folder and returns its path. Whoever may read it can use the gate. */
export function writeChromiumWrapper(folder: string, gateAddress: string): string {
  const file = path.join(folder, 'chromium');
  const program = path.join(import.meta.dirname, `wrapper-process${path.extname(import.meta.filename)}`);
  const command = [process.execPath, program, gateAddress].map(quoted).join(' ');
  writeFileSync(file, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o700 });
  return file;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
