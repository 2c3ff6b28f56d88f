/** All commands. A new one is a file here, and a line. They are loaded when they run, so that `--help` stays quick. */
import type { Command } from './command.ts';

export interface CommandEntry {
  /** One line in `waymark --help`. */
  summary: string;
  load: () => Promise<Command>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: 'send an agent through tasks and say whether it arrived',
    load: async () => (await import('./run-tasks.ts')).runTasks,
  },
  doctor: {
    summary: 'check this machine: Node, browser, folders, optional parts',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  serve: {
    summary: 'the web app and the API, with database, queue and workers inside',
    load: async () => (await import('./serve.ts')).serve,
  },
  'learn-class': {
    summary: 'learn a screenshot_class from pictures and recommend a distance',
    load: async () => (await import('./learn-class.ts')).learnClassCommand,
  },
};
