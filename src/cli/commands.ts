/** All commands. A new one is a file here, and a line. They are loaded when they run, so that `--help` stays quick. */
import type { Command } from './command.ts';

export interface CommandEntry {
  /** One line in `waymark --help`. */
  summary: string;
  load: () => Promise<Command>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  doctor: {
    summary: 'check this machine: Node, browser, folders, optional parts',
    load: async () => (await import('./doctor.ts')).doctor,
  },
};
