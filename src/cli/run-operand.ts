/** The one operand of report, verify and rescore: a run's folder. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { readRunFile } from '../runs/local.ts';
import type { Terminal } from './terminal.ts';

export const runOperand = { label: '<run>', about: 'the folder of a run, as `waymark run` made it' } as const;

export function runFolder(command: string, operands: readonly string[], { cwd }: Pick<Terminal, 'cwd'>): string {
  const [given, another] = operands;
  if (given === undefined || another !== undefined) {
    throw new WaymarkError({
      code: 'usage_run_folder',
      message:
        given === undefined
          ? 'Give the folder of a run.'
          : `waymark ${command} takes one run, but got ${operands.length}.`,
      hint: `For example: waymark ${command} .waymark/runs/<run-id>`,
    });
  }
  const root = path.resolve(cwd, given);
  if (readRunFile(root).plan.cells.length > 0) return root;
  throw new WaymarkError({
    code: 'usage_empty_run',
    message: `The run ${root} has no episodes.`,
    hint: 'Run some tasks first: waymark run <tasks…>',
  });
}
