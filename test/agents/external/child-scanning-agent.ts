/**
 * Starts another agent, and looks through the home folder when both are ended: before the harness deletes it. Arguments: the file for what was
 * found, the value to look for (by the name of its variable), and the command.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { filesWith } from './scan.ts';

const [report = '', variable = '', command = '', ...args] = process.argv.slice(2);
const { HOME = '', [variable]: value = '' } = process.env;
const scan = (): void => writeFileSync(report, JSON.stringify({ found: filesWith(HOME, [value]) }));
process.on('SIGTERM', () => {
  scan();
  process.exit();
});
spawn(command, args, { stdio: 'inherit' }).on('exit', (code) => {
  scan();
  process.exit(code ?? 1);
});
