/** All commands. Each is a file in this folder and an entry here. They are loaded when they run, so that `--help` stays fast. */
import type { Command } from './command.ts';

export interface CommandEntry {
  /** One line in `waymark --help`. */
  summary: string;
  load: () => Promise<Command>;
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  run: {
    summary: 'run tasks with an agent, or questions with a model, and report what passed',
    load: async () => (await import('./run-command.ts')).runCommand,
  },
  report: {
    summary: 'rebuild the reports of a run from its journals',
    load: async () => (await import('./report.ts')).reportCommand,
  },
  merge: {
    summary: 'join the runs of all shards into one run',
    load: async () => (await import('./merge.ts')).mergeCommand,
  },
  verify: {
    summary: 'check a finished run against its recorded evidence',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  sign: {
    summary: 'sign a finished run with a key of yours',
    load: async () => (await import('./sign.ts')).signCommand,
  },
  view: {
    summary: 'open the HTML report of a run in a browser',
    load: async () => (await import('./view.ts')).viewCommand,
  },
  export: {
    summary: 'write a run as CSV, ATIF, Online-Mind2Web folders, OpenTelemetry spans or Markdown',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  rescore: {
    summary: 'score a finished run again with the current rules',
    load: async () => (await import('./rescore.ts')).rescoreCommand,
  },
  grade: {
    summary: 'grade a finished run by further graders: judges, rules, programs of yours',
    load: async () => (await import('./grade.ts')).gradeCommand,
  },
  calibrate: {
    summary: 'measure how far a grader agrees with people',
    load: async () => (await import('./calibrate.ts')).calibrateCommand,
  },
  compare: {
    summary: 'compare runs: better, worse or not enough evidence, and where they part',
    load: async () => (await import('./compare.ts')).compareCommand,
  },
  trend: {
    summary: 'show the pass rates of runs over time',
    load: async () => (await import('./trend.ts')).trendCommand,
  },
  prune: {
    summary: 'remove runs that are no longer needed, by age, count or outcome',
    load: async () => (await import('./prune.ts')).pruneCommand,
  },
  lint: {
    summary: 'check task files for errors and likely problems',
    load: async () => (await import('./lint.ts')).lintCommand,
  },
  check: {
    summary: 'self-test of tasks: the oracle passes, doing nothing and near misses do not',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  new: {
    summary: 'create a task: its file, a transcript and a page to try it on',
    load: async () => (await import('./new.ts')).newCommand,
  },
  import: {
    summary: 'make task files of another benchmark: WebArena, WebVoyager, REAL, MiniWoB++ and more',
    load: async () => (await import('./import.ts')).importCommand,
  },
  record: {
    summary: 'record a site into a file that tasks replay offline',
    load: async () => (await import('./record.ts')).recordCommand,
  },
  mcp: {
    summary: 'serve the embedded browser tools over stdio, for any MCP client',
    load: async () => (await import('./mcp.ts')).mcpCommand,
  },
  'test-model': {
    summary: 'start a model for trying agents without a key',
    load: async () => (await import('./test-model.ts')).testModelCommand,
  },
  bridge: {
    summary: 'connect an agent that only takes commands to the endpoint of its attempt',
    load: async () => (await import('./bridge.ts')).bridgeCommand,
  },
  env: {
    summary: 'serve tasks over HTTP to programs that drive an episode themselves',
    load: async () => (await import('./env.ts')).envCommand,
  },
  doctor: {
    summary: 'check this machine: Node, browser, folders, optional parts',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  serve: {
    summary: 'start the web app and the API, with database, queue and workers',
    load: async () => (await import('./serve.ts')).serve,
  },
  worker: {
    summary: 'execute attempts of runs in a shared database, on this machine',
    load: async () => (await import('./worker.ts')).workerCommand,
  },
  fetch: {
    summary: 'write a run that workers executed into a folder, when it has ended',
    load: async () => (await import('./fetch.ts')).fetchCommand,
  },
  datasets: {
    summary: 'list, import and export the datasets of the Browser Harness',
    load: async () => (await import('./datasets.ts')).datasetsCommand,
  },
  runs: {
    summary: 'list, show, delete and export the runs of a server',
    load: async () => (await import('./runs.ts')).runsCommand,
  },
  pack: {
    summary: 'create a signed pack of prompts for a chat page',
    load: async () => (await import('./pack.ts')).packCommand,
  },
  'import-capture': {
    summary: "import a chat page's capture as a run",
    load: async () => (await import('./import-capture.ts')).importCaptureCommand,
  },
  'import-trace': {
    summary: 'import traces of an agent that ran elsewhere as a run',
    load: async () => (await import('./import-trace.ts')).importTraceCommand,
  },
  keys: {
    summary: 'list, rotate and retire the keys that sign packs',
    load: async () => (await import('./keys.ts')).keysCommand,
  },
  'export-data': {
    summary: 'back up all data of the server into one file',
    load: async () => (await import('./export-data.ts')).exportDataCommand,
  },
  'import-data': {
    summary: 'restore a backup into an empty folder or database',
    load: async () => (await import('./import-data.ts')).importDataCommand,
  },
  'learn-class': {
    summary: 'learn a screenshot_class from pictures and recommend a distance',
    load: async () => (await import('./learn-class.ts')).learnClassCommand,
  },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
};

/** Commands that have another name now: a sentence with the new command. */
export const renamedCommands: Readonly<Record<string, string>> = {
  'import-tasks': 'waymark import-tasks is called waymark import now.',
  launch:
    'waymark launch is part of waymark run now: waymark run <dataset> --api http://127.0.0.1:7520/ --provider <name> --model <model>.',
};
