/** Starts the command of an external agent in a clean home folder, with the settings of its preset and nothing else of ours. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SessionTask } from '../../episode/index.ts';
import { cleanEnvironment, ProcessFolder, ProgramProcess, type ProgramProcessOptions } from '../../tools/index.ts';
import type { Endpoint } from './endpoint.ts';
import type { CheckedOptions } from './external-options.ts';
import { instruction } from './instruction.ts';
import { fillPlaceholders } from './placeholders.ts';

export interface CommandStart {
  options: CheckedOptions;
  task: SessionTask;
  endpoint: Pick<Endpoint, 'url' | 'token'>;
  /** The variables that it gets beside those of its preset. */
  env: Readonly<Record<string, string>>;
  PATH: string | undefined;
}

export function startCommand(
  { options, task, endpoint, env, PATH }: CommandStart,
  output: Pick<ProgramProcessOptions, 'stdout' | 'stderr'>,
): ProgramProcess {
  const { presetOf, command, model = '', baseUrl } = options;
  const folder = new ProcessFolder();
  const { home, temporary, work } = folder;
  try {
    const { url: mcpUrl, token: mcpToken } = endpoint;
    const inputs = { mcpUrl, mcpToken, model, baseUrl, home };
    const goal = instruction(task);
    const goalFile = path.join(home, 'goal.txt');
    const mcpConfig = path.join(home, 'mcp.json');
    write(goalFile, goal);
    write(mcpConfig, mcpServers(mcpUrl, mcpToken));
    for (const [name, content] of Object.entries(presetOf?.files(inputs) ?? {})) write(path.join(home, name), content);
    const words = [...command, ...(presetOf?.args(inputs) ?? [])];
    const values = { goal, goalFile, mcpUrl, mcpToken, mcpConfig, taskId: task.id, workdir: work };
    return new ProgramProcess({
      command: fillPlaceholders(words, values),
      env: cleanEnvironment(home, temporary, { ...env, ...presetOf?.env(inputs) }, { PATH }),
      folder,
      ...output,
    });
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** In the format that most clients read. */
function mcpServers(url: string, token: string): unknown {
  return { mcpServers: { browser: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } } } };
}

/** A text as it is, anything else as JSON; readable by this user only. */
function write(file: string, content: unknown): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2), { mode: 0o600 });
}
