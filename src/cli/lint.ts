/** `waymark lint`: checks task files for errors and likely problems. */
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import type { Finding } from './lint/finding.ts';
import { lintTasks } from './lint/lint-tasks.ts';
import { seedsFlag, withInstances } from './task-instances.ts';
import { taskPlaces } from './task-places.ts';
import type { Terminal } from './terminal.ts';

export const lintCommand = defineCommand({
  name: 'lint',
  about: [
    'checks task files for errors and likely problems. It starts no browser and runs nothing.',
    'Errors: invalid fields, contracts that always pass, missing or unsuitable oracles and recordings. Warnings: dates, accounts, payments, captchas, live sites, no oracle, caps.',
    'Exit code: 0 no errors (there may be warnings), 1 errors, 2 wrong usage.',
  ].join('\n'),
  operands: { label: '<tasks…>', about: 'task files (.json, .jsonl, .ts) or folders of them' },
  flags: { seeds: seedsFlag, json: { type: 'boolean', about: 'print one JSON object and nothing else' } },
  examples: [
    { line: 'waymark lint tasks/', does: 'check all tasks of a folder' },
    { line: 'waymark lint tasks/checkout.task.json --json', does: 'check one task, for a script' },
  ],
  async run(flags, terminal, operands) {
    const places = await withInstances(taskPlaces(operands, terminal, 'lint'), flags.seeds, terminal.cwd);
    const { tasks, findings } = await lintTasks(places);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const ok = errors === 0;
    if (flags.json) terminal.out(`${JSON.stringify({ ok, tasks, findings }, null, 2)}\n`);
    else {
      terminal.out(lines(findings, terminal));
      terminal.out(
        `${tasks} ${tasks === 1 ? 'task' : 'tasks'} read: ${errors} errors, ${findings.length - errors} warnings\n`,
      );
    }
    return ok ? EXIT.ok : EXIT.checkFailed;
  },
});

function lines(findings: readonly Finding[], { paint }: Terminal): string {
  const bySource = Map.groupBy(findings, ({ source }) => source);
  return [...bySource]
    .map(([source, found]) =>
      [
        `${paint('bold', source)}\n`,
        ...found.map(({ severity, rule, path: at, message }) => {
          const word = severity === 'error' ? paint('red', 'error  ') : paint('yellow', 'warning');
          return `  ${word}  ${at}  ${message} ${paint('dim', `(${rule})`)}\n`;
        }),
        '\n',
      ].join(''),
    )
    .join('');
}
