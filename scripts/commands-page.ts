/** docs/reference/commands.md, from the commands themselves: what `--help` says, on one page. */
import type { Command, Flag } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { commonFlags } from '../src/cli/parse.ts';

const HEAD = `# Commands

Made by \`node scripts/make-commands-page.ts\` from the commands themselves; \`waymark <command> --help\` says the same.

Every command has \`--help\`, \`--verbose\` (on an error, its stack and causes too) and \`--json\`: standard output is then one JSON value and nothing else, errors included
(\`{"error": {"code", "message", "hint"}}\`). Progress and errors for people go to standard error.

| exit code | says |
|---|---|
| 0 | fine; for \`run\`: all passed |
| 1 | the command did its work, and something that it looked at is not as it should be: a task did not pass, a verdict differs, a task has errors |
| 2 | the command line, or a file or a request that it gave, cannot be used; nothing was done |
| 3 | the harness or what it needs failed; nothing can be said about what was asked. [Errors](errors.md) lists the code of each |
`;

export async function commandsPage(): Promise<string> {
  const entries = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => ({ name, summary, command: await load() })),
  );
  const rows = entries.map(({ name, summary }) => `| [\`${name}\`](#waymark-${name}) | ${summary} |`);
  const sections = entries.map(({ command }) => sectionOf(command));
  return [HEAD, '| command | does |', '|---|---|', ...rows, '', ...sections].join('\n');
}

function sectionOf({ name, about, operands, flags, examples }: Command): string {
  const [first = '', ...more] = about.split('\n');
  const all = Object.entries<Flag>(flags).filter(([flag]) => !Object.hasOwn(commonFlags, flag));
  return [
    `## waymark ${name}`,
    '',
    [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...more].map(cell).join('\n'),
    '',
    `    waymark ${name}${operands ? ` ${operands.label}` : ''}${all.length > 0 ? ' [flags]' : ''}`,
    '',
    ...(operands ? [`\`${operands.label}\`: ${operands.about}.`, ''] : []),
    ...(all.length > 0 ? ['| flag | is |', '|---|---|', ...all.map(flagRow), ''] : []),
    'Examples:',
    '',
    ...examples.map(({ line, does }) => `- \`${line}\`: ${does}`),
    '',
  ].join('\n');
}

function flagRow([name, { type, value, about }]: readonly [string, Flag]): string {
  const label = type === 'string' ? `--${name} ${value ?? '<value>'}` : `--${name}`;
  return `| \`${label.replaceAll('|', '\\|')}\` | ${cell(about).replaceAll('|', '\\|')} |`;
}

/** A bare <word> would be an HTML tag to a Markdown reader. */
function cell(text: string): string {
  return text.replace(/<(?=[a-z])/gi, '&lt;');
}
