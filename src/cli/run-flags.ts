/** The flags of `waymark run`. */
import { choosingFlags } from './choosing-flags.ts';
import type { Flag } from './command.ts';
import { executingFlags } from './executing-flags.ts';
import { graderFlags } from './grader-flags.ts';

export const runFlags = {
  agent: {
    type: 'string',
    value: '<name|file>',
    about:
      'the agent: scripted (also: mock) replays the oracle of each task; single is one model; orchestrator-executor is one that plans and others that act; external is a program that speaks MCP; or a file that exports an agent. Default: scripted, with --model single',
  },
  preset: {
    type: 'string',
    value: '<name>',
    about: 'of an external agent: codex, claude, gemini, opencode or qwen, with its own tools switched off',
  },
  command: {
    type: 'string',
    value: '<words|json>',
    about:
      'of an external agent: what starts it, as words or a JSON array; {goal}, {goalFile}, {mcpUrl}, {mcpToken}, {mcpConfig}, {taskId} and {workdir} are filled in',
  },
  'pass-env': {
    type: 'string',
    value: '<name,…>',
    about: 'of an external agent: environment variables that it gets; otherwise it gets PATH alone',
  },
  server: {
    type: 'string',
    value: '<name|json|file>',
    about:
      'the tool server: embedded (default), playwright, chrome-devtools, openchrome, browseros, or the JSON of a configuration, or a file with it',
  },
  ...choosingFlags,
  'skip-quarantined': {
    type: 'boolean',
    about: 'leave out tasks that are quarantined; otherwise they are run, and counted apart',
  },
  out: { type: 'string', value: '<folder>', about: 'the folder of the run; default .waymark/runs/<run-id>' },
  resume: {
    type: 'boolean',
    about:
      'resume a run, finished or not: that of --out, or the one whose folder is given, or the newest with these inputs; what ended by a fault is tried again',
  },
  database: {
    type: 'string',
    value: '<postgres://…|env>',
    about:
      'let workers on other machines execute the run (waymark worker): it is made in this PostgreSQL server, waited for, and then written into --out. env: take the URL from DATABASE_URL',
  },
  artifacts: {
    type: 'string',
    value: '<folder|s3://…>',
    about: 'with --database: where the suite goes and the pictures come from; the same as that of the workers',
  },
  'worker-labels': {
    type: 'string',
    value: '<name,…>',
    about: 'with --database: only workers that have all of these labels execute the run',
  },
  ...executingFlags,
  trials: { type: 'string', value: '<n>', about: 'how often each task is run; default 1' },
  concurrency: { type: 'string', value: '<n>', about: 'attempts at a time; default 1, for questions 4' },
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
  recover: {
    type: 'optional',
    value: '<n>',
    about:
      'recovery search: after a failure or a stall, try other calls in replays of the attempt and carry out the best; at most n replays per attempt, default 10. The harness helps the agent then, so that such a run is marked, and is not comparable with one without',
  },
  'image-model': {
    type: 'string',
    value: '<kind:id|json>',
    about: 'the model that answers what contracts ask about screenshots (image_qa), such as openai:gpt-5-mini',
  },
  'no-screenshots': { type: 'boolean', about: 'take no screenshots' },
  model: {
    type: 'string',
    value: '<kind:id>',
    about:
      'the model of the agent, or the model that is asked the questions of a dataset; kinds: openai, anthropic, google, openai-compatible, ollama (with --api: the provider’s own name for the model)',
  },
  'orchestrator-model': { type: 'string', value: '<kind:id>', about: 'the model that plans; default: that of --model' },
  'executor-model': { type: 'string', value: '<kind:id>', about: 'the model that acts; default: that of --model' },
  observe: {
    type: 'string',
    value: '<text|image|both>',
    about: 'what the model sees: what the tools write (default), a picture of the page after each call, or both',
  },
  variant: {
    type: 'string',
    value: '<file>',
    about: 'a file with an agent, its models and a server, by a name; flags stand above it',
  },
  experiment: {
    type: 'string',
    value: '<name>',
    about: 'a name for runs that belong together, for lists and comparisons',
  },
  'base-url': { type: 'string', value: '<address>', about: 'where the model is called; openai-compatible needs it' },
  'key-env': {
    type: 'string',
    value: '<name>',
    about: 'the environment variable that holds the key; default: the usual one of the kind',
  },
  temperature: { type: 'string', value: '<number>', about: '0 to 2; default: that of the model' },
  'max-tokens': {
    type: 'string',
    value: '<n>',
    about: 'of an agent: the tokens of one attempt, input and output; of questions: the longest answer',
  },
  'max-cost': { type: 'string', value: '<dollars>', about: 'the cost of one attempt in US dollars' },
  'max-run-tokens': { type: 'string', value: '<n>', about: 'the tokens of all attempts; then no more are begun' },
  'max-run-cost': { type: 'string', value: '<dollars>', about: 'the cost of all attempts; then no more are begun' },
  'allow-unknown-cost': {
    type: 'boolean',
    about: 'accept a cap on the cost though the price of the model is not known: it is not enforced then',
  },
  system: { type: 'string', value: '<text>', about: 'the system text, before every prompt' },
  sections: { type: 'string', value: '<name,…>', about: 'only these sections of the dataset' },
  'max-items': { type: 'string', value: '<n>', about: 'no more than so many items' },
  rate: { type: 'string', value: '<n>', about: 'calls per minute, at most' },
  ...graderFlags,
  api: {
    type: 'string',
    value: '<http://…>',
    about: 'the address of a Waymark server that runs its dataset; its token, if it has one, in WAYMARK_TOKEN',
  },
  provider: { type: 'string', value: '<name|id>', about: 'with --api: the API provider that is asked' },
  judge: { type: 'string', value: '<name|id>', about: 'with --api: the API provider of the judge' },
  label: { type: 'string', value: '<text>', about: 'with --api: a text for the list of runs' },
  detach: { type: 'boolean', about: 'with --api or --database: start the run and do not wait' },
  'join-journals': {
    type: 'boolean',
    about: 'also write events.jsonl and events/<run-id>.jsonl: all journals that count, one after the other',
  },
  ui: {
    type: 'boolean',
    about: 'show the run of tasks in your browser while it goes on: the web app, on this machine, until the run ends',
  },
  json: { type: 'boolean', about: 'print the report as JSON and nothing else' },
} as const satisfies Record<string, Flag>;
