/**
 * `npm run try:agents -- --folder <folder> [--install gemini,codex] [--write]`: the foreign agents that are installed in a folder, each on
 * three fixture tasks, against the test model. Prints a table; `--write` puts it into docs/results.md.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { putSection } from '../scripts/results/put-section.ts';
import { externalAgent } from '../src/agents/index.ts';
import { executeRun, FolderRunStore, resolveRun } from '../src/runs/index.ts';
import { startTestModel } from '../src/test-model/index.ts';
import { installAgent, installedAgent, KNOWN_AGENTS, type KnownAgent } from './agents/installed-agents.ts';

const TASKS = 'fixtures/tasks';
const ONLY = ['example-h1', 'local-recovery-stall', 'wizard-book-trip'];
const PAGE = 'docs/results.md';

const { values } = parseArgs({
  options: { folder: { type: 'string' }, install: { type: 'string' }, write: { type: 'boolean' } },
});
const folder = values.folder ?? process.env['WAYMARK_AGENTS'];
if (folder === undefined) throw new Error('Name the folder of the agents: --folder <folder>, or WAYMARK_AGENTS.');
const wanted = values.install?.split(',') ?? [];
for (const agent of KNOWN_AGENTS.filter(({ preset }) => wanted.includes(preset)))
  if (installedAgent(agent, folder) === undefined) installAgent(agent, folder);

interface Row {
  task: string;
  status: string;
  reason: string;
  steps: number;
  seconds: number;
}

const lines: string[] = [];
for (const agent of KNOWN_AGENTS) {
  const file = installedAgent(agent, folder);
  if (file === undefined) {
    process.stderr.write(`${agent.preset} is not installed in ${folder}: skipped\n`);
    continue;
  }
  process.stderr.write(`${ONLY.length} tasks with ${agent.preset} …\n`);
  const { rows, ownTools } = await tryAgent(agent, file);
  for (const { task, status, reason, steps, seconds } of rows) {
    const tools = ownTools.length === 0 ? 'none' : ownTools.join(', ');
    lines.push(`| ${agent.package} | ${task} | ${status} | ${steps} | ${seconds.toFixed(0)} | ${tools} |`);
    if (status !== 'passed') process.stderr.write(`${agent.preset}, ${task}: ${reason}\n`);
  }
}
const section = [
  `Made by \`npm run try:agents -- --write\` with the **test model** (policy \`oracle\`) and the embedded tools: it shows that the agents work through the endpoint, and says nothing about any real model.`,
  'The agent had to say that it is done (`task_done`). Seconds include the start of the agent; compare them with each other only. Own tools: what the model was offered beside ours.',
  '',
  '| agent | task | result | steps | seconds | own tools left |',
  '|---|---|---|---|---|---|',
  ...lines,
].join('\n');
console.log(section);
if (values.write) writeFileSync(PAGE, putSection(readFileSync(PAGE, 'utf8'), 'try:agents', section));

async function tryAgent({ preset, kind }: KnownAgent, file: string): Promise<{ rows: Row[]; ownTools: string[] }> {
  await using model = await startTestModel({ tasks: [TASKS] });
  const env = { ...process.env, TEST_MODEL_KEY: 'any-key' };
  const options = { preset, command: [file], model: 'test', baseUrl: model.baseUrls[kind], keyEnv: 'TEST_MODEL_KEY' };
  const agent = externalAgent(options, env);
  const run = await resolveRun({ tasks: [TASKS], only: ONLY, agent, untilDone: true, env, version: 'try:agents' });
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-agents-'));
  const rows: Row[] = [];
  const steps = new Map<string, number>();
  let began = performance.now();
  try {
    using store = new FolderRunStore(root);
    await executeRun(run, {
      store,
      env,
      onEvent: (event, { caseId }) => {
        const { type, by, step } = Object(event);
        if (type === 'start') began = performance.now();
        if (type === 'tool_call' && by === 'agent' && step > 0) steps.set(caseId, step);
      },
      onProgress: ({ attempt: { caseId }, status, reason }) => {
        const seconds = (performance.now() - began) / 1000;
        rows.push({ task: caseId, status, reason, steps: steps.get(caseId) ?? 0, seconds });
      },
    });
    const offered = new Set<string>();
    for (const { conversation } of model.requests)
      for (const { name } of conversation?.tools ?? []) if (!/browser/.test(name)) offered.add(name);
    return { rows, ownTools: [...offered].sort() };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
