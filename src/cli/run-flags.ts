/** The flags of `waymark run`. */
import type { Flag } from './command.ts';

export const runFlags = {
  agent: { type: 'string', value: '<scripted>', about: 'who drives; scripted (also: mock) replays the task’s oracle' },
  server: {
    type: 'string',
    value: '<name|json>',
    about: 'embedded (default), playwright, chrome-devtools, openchrome, browseros, custom',
  },
  task: { type: 'string', value: '<id>', about: 'only this task' },
  out: { type: 'string', value: '<folder>', about: 'where the run goes; default .waymark/runs/<run-id>' },
  resume: {
    type: 'boolean',
    about: 'go on with a run: that of --out, or the one whose folder is given, or the newest of these tasks and flags',
  },
  trials: { type: 'string', value: '<n>', about: 'how often each task is run; default 1' },
  concurrency: { type: 'string', value: '<n>', about: 'episodes at a time; default 1' },
  'max-steps': { type: 'string', value: '<n>', about: 'instead of the tasks’ own cap; at most 100' },
  'max-duration-ms': { type: 'string', value: '<n>', about: 'instead of the tasks’ own cap; at most 600,000' },
  browser: {
    type: 'string',
    value: '<shell|chrome|path|address>',
    about: 'the browser; default: the best that is found',
  },
  isolation: {
    type: 'string',
    value: '<context|process>',
    about: 'a browser context an episode (default), or a browser',
  },
  'fresh-server': { type: 'boolean', about: 'a server process for every episode' },
  'until-done': { type: 'boolean', about: 'the agent must say that it is done; the verdict is the state then' },
  'open-gates': { type: 'boolean', about: 'let through what the tasks’ gates would stop' },
  'no-screenshots': { type: 'boolean', about: 'take no pictures' },
  json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
} as const satisfies Record<string, Flag>;
