/** The text of docs/reference/errors.md, from the table of codes. */
import { exitCodeOf } from '../src/cli/exit-code.ts';
import { CODES, type CodeEntry, type ErrorCode, FAULTS, type Fault, statusOf } from '../src/errors/index.ts';
import { outcomeOfFault } from '../src/metrics/index.ts';

const WHO: Readonly<Record<Fault, string>> = {
  usage: 'The command, the request or a file that was given cannot be used as it is. The caller corrects it.',
  environment: 'The browser, the disk, the network, the database or the object store failed.',
  server: 'The MCP server under test failed.',
  agent: 'The agent failed as a program: it threw an error or sent what is no move.',
  grader: 'A grader failed.',
  internal: 'A bug of Waymark.',
};

export function errorsPage(): string {
  return `# Errors

Made by \`node scripts/make-errors-page.ts\` from \`src/errors/codes.ts\`.

Every error has a \`code\`, a \`message\` (what happened to what) and, where something can be done, a \`hint\`. Codes are stable: programs may go by them. With \`--json\` a
command prints \`{"error": {"code", "message", "hint", "issues"}}\`; the API answers with \`application/problem+json\`.

Every code has a fault, and the fault decides the rest: the exit code of a command, the [outcome class](metrics.md#outcome) of an attempt that the error ended, and
the HTTP status, unless the code has a status of its own. The outcome of an attempt that an error ended is never the agent's failure.

| fault | exit code | outcome class | HTTP status | means |
|---|---|---|---|---|
${FAULTS.map((fault) => row([fault, exitCodeOf(fault), outcomeOfFault(fault), defaultStatus(fault), WHO[fault]])).join('\n')}

Over HTTP, the text of an \`internal\` error is not told: it is in the server's log, under the id of the request. Errors of the other faults but \`usage\` are logged as well.

| code | fault | exit code | HTTP status | when |
|---|---|---|---|---|
${codes().map(rowOf).join('\n')}
`;
}

const codes = (): ErrorCode[] => (Object.keys(CODES) as ErrorCode[]).sort();

function rowOf(code: ErrorCode): string {
  const { fault, when }: CodeEntry = CODES[code];
  return row([`\`${code}\``, fault, exitCodeOf(fault), statusOf(code), when]);
}

/** The status of a code of this fault that has none of its own. */
function defaultStatus(fault: Fault): number {
  const code = codes().find((one) => CODES[one].fault === fault && !('status' in CODES[one]));
  if (code === undefined) throw new Error(`no code has the fault ${fault}`);
  return statusOf(code);
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
