/** Completion scripts for shells, made of the commands and their flags. */
import { type Command, type Flag, flagLabel } from '../command.ts';
import { commonFlags } from '../parse.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export interface CompletedCommand extends Pick<Command, 'name' | 'flags'> {
  readonly summary: string;
}

export function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands);
}

function flagsOf({ flags }: CompletedCommand): [string, Flag][] {
  return Object.entries<Flag>({ ...flags, ...commonFlags });
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(
    (command) =>
      `    ${command.name}) words="${flagsOf(command)
        .map(([name]) => `--${name}`)
        .join(' ')}" ;;`,
  );
  return `# waymark completion bash: source it, or put it into /etc/bash_completion.d/waymark
_waymark() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _waymark waymark
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', ' ')}`)}`);
  const cases = commands.map((command) => {
    const specs = flagsOf(command).map(([name, flag]) => {
      const value = flag.type === 'string' ? `:${zshText(flag.value ?? 'value')}:_files` : '';
      return quoted(`--${name}[${zshText(flag.about)}]${value}`);
    });
    return `    ${command.name}) _arguments ${specs.join(' ')} '*:file:_files' ;;`;
  });
  return `#compdef waymark
# waymark completion zsh: put it into a folder of $fpath as _waymark
_waymark() {
  local -a names
  names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' names
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _waymark waymark
`;
}

/** Brackets and colons separate the parts of a specification. */
function zshText(text: string): string {
  return text.replaceAll(/[[\]:]/g, (mark) => `\\${mark}`);
}

function fish(commands: readonly CompletedCommand[]): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c waymark -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
  );
  const flags = commands.flatMap((command) =>
    flagsOf(command).map(([name, flag]) => {
      const needsValue = flag.type === 'string' ? ' -r' : '';
      return `complete -c waymark -n '__fish_seen_subcommand_from ${command.name}' -l ${name}${needsValue} -d ${quoted(`${flagLabel(name, flag).replace(/^--\S+ ?/, '')} ${flag.about}`.trim())}`;
    }),
  );
  return `# waymark completion fish: put it into ~/.config/fish/completions/waymark.fish
${[...first, ...flags].join('\n')}
`;
}

/** For a shell: nothing in it is expanded. */
function quoted(text: string): string {
  return `'${text.replaceAll('\n', ' ').replaceAll("'", '’')}'`;
}
