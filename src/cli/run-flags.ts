/** The flags of `waymark run`. */
import type { Flag } from './command.ts';

export const runFlags = {
  agent: {
    type: 'string',
    value: '<scripted>',
    about: 'the agent; scripted (also: mock) replays the oracle of each task',
  },
  server: {
    type: 'string',
    value: '<name|json>',
    about: 'the tool server: embedded (default), playwright, chrome-devtools, openchrome, browseros, custom',
  },
  task: { type: 'string', value: '<id>', about: 'only this task' },
  out: { type: 'string', value: '<folder>', about: 'the folder of the run; default .waymark/runs/<run-id>' },
  resume: {
    type: 'boolean',
    about: 'resume a run: that of --out, or the one whose folder is given, or the newest with these inputs',
  },
  trials: { type: 'string', value: '<n>', about: 'how often each task is run; default 1' },
  concurrency: { type: 'string', value: '<n>', about: 'attempts at a time; default 1' },
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
    about: 'one browser context per attempt (default), or one browser process per attempt',
  },
  'fresh-server': { type: 'boolean', about: 'start a server process for every attempt' },
  'until-done': { type: 'boolean', about: 'the agent must say that it is done; the verdict is the state then' },
  'allow-guarded': { type: 'boolean', about: 'let through the guarded actions of the tasks' },
  'image-model': {
    type: 'string',
    value: '<kind:id|json>',
    about: 'the model that answers what contracts ask about screenshots (image_qa), such as openai:gpt-5-mini',
  },
  'no-screenshots': { type: 'boolean', about: 'take no screenshots' },
  json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
} as const satisfies Record<string, Flag>;
