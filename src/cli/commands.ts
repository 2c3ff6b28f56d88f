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
  report: {
    summary: 'make the reports of a run again, from its journals',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  verify: {
    summary: 'judge a finished run again, from its recorded evidence',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  rescore: {
    summary: 'score a finished run by the rules of today',
    load: async () => (await import('./rescore.ts')).rescoreCommand,
  },
  lint: {
    summary: 'what is wrong with tasks, and what will be',
    load: async () => (await import('./lint.ts')).lintCommand,
  },
  new: {
    summary: 'begin a task: its file, a transcript, a page to try it on',
    load: async () => (await import('./new.ts')).newCommand,
  },
  record: {
    summary: 'record a site into a file that tasks replay offline',
    load: async () => (await import('./record.ts')).recordCommand,
  },
  mcp: {
    summary: 'serve the embedded browser tools over stdio, for any MCP client',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  doctor: {
    summary: 'check this machine: Node, browser, folders, optional parts',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  serve: {
    summary: 'the web app and the API, with database, queue and workers inside',
    load: async () => (await import('./serve.ts')).serve,
  },
  datasets: {
    summary: 'list, import and export the datasets of the Browser Harness',
    load: async () => (await import('./datasets.ts')).datasetsCommand,
  },
  launch: {
    summary: 'ask a dataset of a model, on a server that runs, and score it',
    load: async () => (await import('./launch.ts')).launchCommand,
  },
  pack: {
    summary: 'a signed pack of prompts for a chat page',
    load: async () => (await import('./pack.ts')).packCommand,
  },
  'import-capture': {
    summary: "a chat page's capture becomes a run",
    load: async () => (await import('./import-capture.ts')).importCaptureCommand,
  },
  keys: {
    summary: 'the keys that sign packs: list, rotate, retire',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  'export-data': {
    summary: 'everything that the server keeps, in one file',
    load: async () => (await import('./export-data.ts')).exportDataCommand,
  },
  'import-data': {
    summary: 'a backup into an empty folder or database',
    load: async () => (await import('./import-data.ts')).importDataCommand,
  },
  'learn-class': {
    summary: 'learn a screenshot_class from pictures and recommend a distance',
    load: async () => (await import('./learn-class.ts')).learnClassCommand,
  },
};
