/** Parses the flags of one command strictly. An error names the unknown flag and suggests the nearest known one. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type ErrorCode, WaymarkError } from '../errors/index.ts';
import type { Command, Flag, FlagValues } from './command.ts';
import { nearest } from './nearest.ts';

/** Flags of every command. */
export const commonFlags = {
  verbose: { type: 'boolean', about: 'on an error, also print the stack and the causes' },
  help: { type: 'boolean', about: 'print this help' },
} as const satisfies Record<string, Flag>;

type Flags = Record<string, Flag>;

export interface Parsed {
  flags: FlagValues<Flags>;
  operands: string[];
}

/** Throws a usage error that names the wrong argument. */
export function parseFlags(
  { name: command, flags, operands, renamed = {} }: Pick<Command, 'name' | 'flags' | 'operands' | 'renamed'>,
  args: readonly string[],
): Parsed {
  const known: Flags = { ...flags, ...commonFlags };
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(known).map(([name, { type: flagType }]) => {
      const type = flagType === 'string' ? 'string' : 'boolean';
      return [name, name === 'help' ? { type, short: 'h' } : { type }];
    }),
  );
  // Not `strict`, whose messages are for programmers: the tokens have the same information for better messages.
  const parsed = parseArgs({
    args: withOptionalValues(args, known),
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const given = new Set<string>();
  for (const token of parsed.tokens) {
    const isAgain = token.kind === 'option' && isSingle(known[token.name]) && given.has(token.name);
    if (token.kind === 'option') given.add(token.name);
    const problem: { code: ErrorCode; message: string } | undefined =
      token.kind === 'positional' && operands === undefined
        ? { code: 'usage_unexpected_argument', message: `waymark ${command} takes no argument "${token.value}".` }
        : token.kind === 'option'
          ? (problemWith(command, token, known, renamed) ?? (isAgain ? twice(token) : undefined))
          : undefined;
    if (problem) throw new WaymarkError({ ...problem, hint: `See: waymark ${command} --help` });
  }
  const lists = Object.entries(known)
    .filter(([name, { isList }]) => isList && given.has(name))
    .map(([name]) => {
      const values = parsed.tokens.flatMap((token) =>
        token.kind === 'option' && token.name === name ? [token.value] : [],
      );
      return [name, values.join(',')];
    });
  const values = { ...parsed.values, ...Object.fromEntries(lists) };
  return { flags: values as FlagValues<Flags>, operands: parsed.positionals };
}

function isSingle(flag: Flag | undefined): boolean {
  return flag?.type === 'string' && flag.isList !== true;
}

/** A number after a flag with an optional value is its value; anything else there is an operand. */
function withOptionalValues(args: readonly string[], known: Flags): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1) ?? '';
    const name = last.startsWith('--') ? last.slice(2) : '';
    const isValue = /^\d+$/.test(arg) && Object.hasOwn(known, name) && known[name]?.type === 'optional';
    if (isValue) joined[joined.length - 1] = `${last}=${arg}`;
    else joined.push(arg);
  }
  return joined;
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

/** Only the last value would count. */
function twice({ name }: OptionToken): { code: ErrorCode; message: string } {
  return { code: 'usage_bad_value', message: `--${name} is given twice.` };
}

function problemWith(
  command: string,
  token: OptionToken,
  known: Flags,
  renamed: Readonly<Record<string, string>>,
): { code: ErrorCode; message: string } | undefined {
  const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
  if (!flag) {
    const now = Object.hasOwn(renamed, token.name) ? renamed[token.name] : undefined;
    if (now) return { code: 'usage_unknown_flag', message: `--${token.name} is called --${now} now.` };
    const near = nearest(token.name, Object.keys(known));
    const suggestion = near ? ` Did you mean --${near}?` : '';
    return { code: 'usage_unknown_flag', message: `waymark ${command} has no flag ${token.rawName}.${suggestion}` };
  }
  if (flag.type === 'optional') return undefined;
  if (flag.type === 'boolean') {
    if (token.value === undefined) return undefined;
    return { code: 'usage_needless_value', message: `--${token.name} takes no value, but got "${token.value}".` };
  }
  // `--browser --json` is a forgotten value, not a browser named --json.
  const forgotten = !token.value || (!token.inlineValue && token.value.startsWith('-'));
  if (!forgotten) return undefined;
  return {
    code: 'usage_missing_value',
    message: `--${token.name} needs a value: --${token.name} ${flag.value ?? '<value>'}.`,
  };
}
