/** The help texts of the command line. */
import { type Command, type Flag, flagLabel } from './command.ts';
import type { CommandEntry } from './commands.ts';
import { commonFlags } from './parse.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

type Paint = Terminal['paint'];

export function overview(commands: Readonly<Record<string, CommandEntry>>, paint: Paint): string {
  const rows = Object.entries(commands).map(([name, { summary }]): [string, string] => [name, summary]);
  return [
    `${paint('bold', 'waymark')} ${version()}: an evaluation harness for browser agents.`,
    'It owns the browser, observes what really happens in it, and reports whether the agent reached its goal.',
    '',
    `${paint('bold', 'Usage')}  waymark <command> [flags]`,
    '',
    paint('bold', 'Commands'),
    ...table(rows),
    '',
    paint('bold', 'Flags'),
    ...table([
      ['-h, --help', 'print this, or the help of a command'],
      ['-V, --version', 'print the version'],
    ]),
    '',
    paint('bold', 'Examples'),
    ...table([
      ['waymark doctor', 'check whether this machine is ready, and how to fix it if not'],
      ['waymark doctor --json', 'the same for a script'],
      ['waymark serve', 'start the web app on this machine'],
    ]),
    '',
    paint('bold', 'Exit codes'),
    '  0 success   1 a check failed   2 wrong usage   3 the harness itself failed',
    '',
    'Docs: the docs folder of the package; start with README.md.',
    '',
  ].join('\n');
}

export function commandHelp(command: Command, paint: Paint): string {
  const { operands } = command;
  return [
    `${paint('bold', `waymark ${command.name}`)}: ${command.about}`,
    '',
    `${paint('bold', 'Usage')}  waymark ${command.name} ${operands ? `${operands.label} ` : ''}[flags]`,
    ...(operands ? table([[operands.label, operands.about]]) : []),
    '',
    paint('bold', 'Flags'),
    ...table(
      Object.entries<Flag>({ ...command.flags, ...commonFlags }).map(([name, flag]) => [
        flagName(name, flag),
        flag.about,
      ]),
    ),
    '',
    paint('bold', 'Examples'),
    ...table(command.examples.map(({ line, does }) => [line, does])),
    '',
  ].join('\n');
}

function flagName(name: string, flag: Flag): string {
  const long = flagLabel(name, flag);
  return name === 'help' ? `-h, ${long}` : long;
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
