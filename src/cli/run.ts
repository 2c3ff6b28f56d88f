/** From a command line to an exit code. */
import { WaymarkError } from '../errors/index.ts';
import { commands as allCommands, type CommandEntry, renamedCommands } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { commandHelp, overview } from './help.ts';
import { nearest } from './nearest.ts';
import { parseFlags } from './parse.ts';
import { reportError } from './report-error.ts';
import { releaseStopSignals } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

export async function runCommandLine(
  args: readonly string[],
  terminal: Terminal,
  commands: Readonly<Record<string, CommandEntry>> = allCommands,
): Promise<ExitCode> {
  // Before parsing, because parsing may be what fails.
  const how = { json: args.includes('--json'), verbose: args.includes('--verbose') };
  try {
    return await dispatch(args, terminal, commands);
  } catch (thrown) {
    return reportError(thrown, how, terminal);
  }
}

async function dispatch(
  [name, ...rest]: readonly string[],
  terminal: Terminal,
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<ExitCode> {
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    terminal.out(overview(commands, terminal.paint));
    // Nothing was asked: help is shown, but a script that forgot the command must not take it for success.
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-V') {
    terminal.out(`${version()}\n`);
    return EXIT.ok;
  }
  if (name === 'help') return dispatch([...rest.slice(0, 1), '--help'], terminal, commands);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) throw unknown(name, Object.keys(commands));
  const command = await entry.load();
  const { flags, operands } = parseFlags(command, rest);
  if (flags['help']) {
    terminal.out(commandHelp(command, terminal.paint));
    return EXIT.ok;
  }
  const running = command.run(flags, terminal, operands);
  releaseStopSignals();
  return running;
}

function unknown(name: string, names: readonly string[]): WaymarkError {
  const renamed = Object.hasOwn(renamedCommands, name) ? renamedCommands[name] : undefined;
  if (renamed !== undefined)
    return new WaymarkError({ code: 'usage_unknown_command', message: renamed, hint: 'See: waymark --help' });
  const near = nearest(name, names);
  const what = name.startsWith('-') ? `There is no flag ${name} before a command.` : `There is no command "${name}".`;
  return new WaymarkError({
    code: name.startsWith('-') ? 'usage_unknown_flag' : 'usage_unknown_command',
    message: `${what}${near ? ` Did you mean "${near}"?` : ''}`,
    hint: 'See: waymark --help',
  });
}
