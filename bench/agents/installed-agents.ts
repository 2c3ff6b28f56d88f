/** Foreign agents that are installed in a folder of their own: `<folder>/<name>/node_modules`. They are no packages of this repository. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PLATFORM = `${process.platform}-${process.arch}`;

export interface KnownAgent {
  readonly preset: string;
  readonly package: string;
  /** Its executable in node_modules. Without install scripts, the entries of .bin of claude and opencode only say that they are missing. */
  readonly file: string;
  /** Whose protocol it speaks, for the address of the test model. */
  readonly kind: 'openai' | 'anthropic' | 'google';
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  { preset: 'codex', package: '@openai/codex@0.166.0', file: '.bin/codex', kind: 'openai' },
  {
    preset: 'claude',
    package: '@anthropic-ai/claude-code@2.1.325',
    file: `@anthropic-ai/claude-code-${PLATFORM}/claude`,
    kind: 'anthropic',
  },
  { preset: 'gemini', package: '@google/gemini-cli@0.61.0', file: '.bin/gemini', kind: 'google' },
  { preset: 'opencode', package: 'opencode-ai@1.18.33', file: `opencode-${PLATFORM}/bin/opencode`, kind: 'openai' },
  { preset: 'qwen', package: '@qwen-code/qwen-code@0.24.4', file: '.bin/qwen', kind: 'openai' },
];

/** The path of its executable; undefined where it is not installed there. */
export function installedAgent({ preset, file }: KnownAgent, folder: string | undefined): string | undefined {
  const found = folder === undefined ? undefined : path.resolve(folder, preset, 'node_modules', file);
  return found !== undefined && existsSync(found) ? found : undefined;
}

export function installAgent({ preset, package: name }: KnownAgent, folder: string): void {
  const place = path.resolve(folder, preset);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', name], {
    cwd: place,
    stdio: 'inherit',
  });
}
