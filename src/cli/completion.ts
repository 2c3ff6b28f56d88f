/** `waymark completion bash|zsh|fish`: prints a completion script. */
import { WaymarkError } from '../errors/index.ts';
import { type Command, defineCommand } from './command.ts';
import { completionScript, SHELLS } from './completion/completion-script.ts';
import { EXIT } from './exit-code.ts';

interface Listed {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Given the commands: it is one of them itself. */
export function completionOf(commands: Readonly<Record<string, Listed>>): Command {
  return defineCommand({
    name: 'completion',
    about:
      'prints a script that completes commands, flags and files in a shell.\nExit code: 0 printed, 2 no such shell.',
    operands: { label: '<bash|zsh|fish>', about: 'the shell' },
    flags: { json: { type: 'boolean', about: 'print the script as JSON: {"shell", "script"}' } },
    examples: [
      { line: 'waymark completion bash > /etc/bash_completion.d/waymark', does: 'for bash' },
      { line: 'waymark completion zsh > ~/.zsh/completions/_waymark', does: 'for zsh' },
      { line: 'waymark completion fish > ~/.config/fish/completions/waymark.fish', does: 'for fish' },
    ],
    async run({ json }, terminal, [given, another]) {
      const shell = SHELLS.find((known) => known === given);
      if (shell === undefined || another !== undefined)
        throw new WaymarkError({
          code: 'usage_bad_value',
          message: given === undefined ? 'Name a shell.' : `There is no completion for "${another ?? given}".`,
          hint: `Shells are: ${SHELLS.join(', ')}. For example: waymark completion bash`,
        });
      const all = await Promise.all(
        Object.entries(commands).map(async ([name, { summary, load }]) => ({
          name,
          summary,
          flags: (await load()).flags,
        })),
      );
      const script = completionScript(shell, all);
      terminal.out(json ? `${JSON.stringify({ shell, script })}\n` : script);
      return EXIT.ok;
    },
  });
}
