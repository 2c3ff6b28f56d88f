/**
 * A real tool server behind a process that ends in the middle of the third call, the first time that it is used:
 * `child-dies-once.ts <marker file> <program> <arguments…>`. The marker file says that it has happened.
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [marker = '', program = '', ...args] = process.argv.slice(2);
const isFirst = !existsSync(marker);
const server = spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
server.once('exit', (code) => process.exit(code ?? 1));
let calls = 0;
for await (const line of createInterface({ input: process.stdin })) {
  if (line.includes('"tools/call"')) calls++;
  if (isFirst && calls === 3) {
    writeFileSync(marker, '');
    server.kill('SIGKILL');
    break;
  }
  server.stdin.write(`${line}\n`);
}
server.stdin.end();
