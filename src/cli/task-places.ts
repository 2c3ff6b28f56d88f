/** The operands of commands that read tasks. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import type { Terminal } from './terminal.ts';

/** Returns paths as they were typed if possible, because messages show them. */
export function taskPlaces(operands: readonly string[], { cwd }: Terminal, command: string): string[] {
  if (operands.length === 0) {
    throw new WaymarkError({
      code: 'usage_no_tasks',
      message: 'Give the tasks to check.',
      hint: `For example: waymark ${command} tasks/`,
    });
  }
  return operands.map((place) => {
    const full = path.resolve(cwd, place);
    if (!existsSync(full))
      throw new WaymarkError({
        code: 'usage_no_such_tasks',
        message: `${place} does not exist.`,
        hint: 'Give task files or folders of them.',
      });
    return cwd === process.cwd() ? place : full;
  });
}
