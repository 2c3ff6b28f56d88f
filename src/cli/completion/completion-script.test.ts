import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { completionScript } from './completion-script.ts';

const COMMANDS = [
  {
    name: 'run',
    summary: "run tasks, it's all: yes",
    flags: {
      task: { type: 'string', value: '<id,…>', about: 'only these [tasks]: all $HOME `x`' },
      resume: { type: 'boolean', about: 'resume' },
    },
  },
  { name: 'report', summary: 'rebuild reports', flags: {} },
] as const;

/** What bash offers for the words of a command line, the last of them unfinished. */
function offered(...words: string[]): string[] {
  const script = `${completionScript('bash', COMMANDS)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _waymark; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.trim().split('\n');
}

describe('bash', () => {
  test('offers commands first, then the flags of the command', () => {
    expect(offered('waymark', 're')).toEqual(['report']);
    expect(offered('waymark', '')).toEqual(['run', 'report', '--help', '--version']);
    expect(offered('waymark', 'run', '--')).toEqual(['--task', '--resume', '--verbose', '--help']);
    expect(offered('waymark', 'run', '--t')).toEqual(['--task']);
    expect(offered('waymark', 'report', '--t')).toEqual(['']);
  });
});

test('zsh and fish have every command and flag, and nothing in a text is expanded', () => {
  const zsh = completionScript('zsh', COMMANDS);
  expect(zsh).toContain("    'run:run tasks, it’s all  yes'\n");
  expect(zsh).toContain("'--task[only these \\[tasks\\]\\: all $HOME `x`]:<id,…>:_files'");
  const fish = completionScript('fish', COMMANDS);
  expect(fish).toContain("complete -c waymark -n __fish_use_subcommand -f -a report -d 'rebuild reports'\n");
  expect(fish).toContain(
    "complete -c waymark -n '__fish_seen_subcommand_from run' -l task -r -d '<id,…> only these [tasks]: all $HOME `x`'\n",
  );
});
