/** A command, described as data, so that parsing and help work the same way for all of them. */
import type { ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

export interface Flag {
  /** `optional`: the flag may stand alone or have a number as its value. */
  type: 'boolean' | 'string' | 'optional';
  /** The placeholder of its value in the help, e.g. `<path>`. */
  value?: string;
  about: string;
  /** May be given several times: its value is a list, separated by commas. */
  isList?: true;
}

export type FlagValues<F extends Record<string, Flag>> = {
  [name in keyof F]?: ValueOf<F[name]['type']>;
};
type ValueOf<T extends Flag['type']> = T extends 'boolean' ? boolean : T extends 'optional' ? true | string : string;

/** A flag with the placeholder of its value, as help and docs show it. */
export function flagLabel(name: string, { type, value = '<value>' }: Flag): string {
  if (type === 'boolean') return `--${name}`;
  return type === 'optional' ? `--${name} [${value}]` : `--${name} ${value}`;
}

export interface Command<F extends Record<string, Flag> = Record<string, Flag>> {
  name: string;
  /** A paragraph for `waymark <command> --help`. */
  about: string;
  /** The arguments besides flags, e.g. `<tasks…>`. Without it, none are allowed. */
  operands?: { label: string; about: string };
  flags: F;
  /** Flags that have another name now, by their old one: a command line that uses the old name is told the new one. */
  renamed?: Readonly<Record<string, string>>;
  /** Command lines that a reader can copy. */
  examples: readonly { line: string; does: string }[];
  run: (flags: FlagValues<F>, terminal: Terminal, operands: readonly string[]) => Promise<ExitCode>;
}

/** Types the flags for `run` and hides these types from other code. */
export function defineCommand<const F extends Record<string, Flag>>(command: Command<F>): Command {
  return command as unknown as Command;
}
