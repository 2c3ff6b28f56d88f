/**
 * `npm run results [-- --server <name>] [--folder <folder> --preset <name>]`: the suite web-ten with every agent pattern and the policies of
 * the test model; an external agent where one is installed in the folder (`npm run try:agents` installs them). Writes a table into
 * docs/results.md. Ends with 1 where a result says that something is wrong with the harness or with a contract: an oracle that does not arrive,
 * a liar that does, a fault.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installedAgent, KNOWN_AGENTS, type KnownAgent } from '../bench/agents/installed-agents.ts';
import { version } from '../src/cli/version.ts';
import type { EpisodeResult } from '../src/events/index.ts';
import { isAgentOutcome } from '../src/metrics/index.ts';
import { executeRun, FolderRunStore, resolveRun, type TaskChoices, writeReports } from '../src/runs/index.ts';
import { startTestModel } from '../src/test-model/index.ts';
import { putSection } from './results/put-section.ts';
import { type ResultRow, resultsTable } from './results/results-table.ts';

const SUITE = 'suites/web-ten';
const PAGE = 'docs/results.md';
const POLICIES = ['oracle', 'wanderer', 'liar', 'stubborn'];

const { values } = parseArgs({
  options: {
    server: { type: 'string', default: 'embedded' },
    preset: { type: 'string', default: 'gemini' },
    folder: { type: 'string' },
  },
});
const { server, preset } = values;
const known = KNOWN_AGENTS.find((agent) => agent.preset === preset);
if (!known) throw new Error(`There is no preset "${preset}".`);
const command = installedAgent(known, values.folder ?? process.env['WAYMARK_AGENTS']);

await using model = await startTestModel({ tasks: [SUITE] });
const address = model.baseUrls['openai-compatible'];
const chosen = (policy: string) => ({ kind: 'openai-compatible', model: `test:${policy}`, baseUrl: address }) as const;
/** The test model takes any key; the agents do not start without one. */
const env = { ...process.env, TEST_MODEL_KEY: 'none' };

interface Planned {
  agent: string;
  policy: string | undefined;
  choices: Partial<TaskChoices>;
}

const planned: Planned[] = [
  { agent: 'scripted', policy: undefined, choices: {} },
  ...['single', 'orchestrator-executor'].flatMap((agent) =>
    POLICIES.map((policy) => ({ agent, policy, choices: { agent, model: chosen(policy) } })),
  ),
  ...(command === undefined ? [] : POLICIES.map((policy) => external(command, known, policy))),
];

function external(file: string, { kind, package: name }: KnownAgent, policy: string): Planned {
  const options = { preset, command: [file], model: `test:${policy}`, keyEnv: 'TEST_MODEL_KEY' };
  return {
    agent: `external (${name})`,
    policy,
    choices: { agent: 'external', external: { ...options, baseUrl: model.baseUrls[kind] } },
  };
}

const rows: ResultRow[] = [];
const about = new Set<string>();
const wrong: string[] = [];
for (const { agent, policy, choices } of planned) {
  const name = policy === undefined ? agent : `${agent}, ${policy}`;
  // The stubborn one waits two seconds for an element in each of its calls, and needs little of the machine.
  const concurrency = policy === 'stubborn' ? 5 : 2;
  const run = await resolveRun({ tasks: [SUITE], server, concurrency, env, version: version(), ...choices });
  const { plan } = run;
  const root = path.join('.waymark', 'results', plan.runId);
  using store = new FolderRunStore(root);
  process.stderr.write(`${name}: ${plan.cells.length} tasks on ${server}, in ${root}\n`);
  const { notBegun } = await executeRun(run, { store, env });
  for (const { attempt, reason } of notBegun) wrong.push(`${name}, ${attempt.caseId}: not begun. ${reason}`);
  const results: EpisodeResult[] = [];
  await writeReports(root, { onResult: (result) => results.push(result) });
  rows.push({ agent, policy, results, oracleSteps: plan.oracleSteps ?? {} });
  for (const result of results) {
    const { environment, server: used } = result;
    about.add(
      `Waymark ${environment.waymark}, ${environment.browser?.product}, server ${used.name} ${used.version}, suite ${plan.suite.hash.slice(0, 12)}, seed 1`,
    );
    if (isWrong(policy, result)) wrong.push(`${name}, ${result.taskId}: ${result.outcome}. ${result.reason}`);
  }
}

/** What can't be the policy's doing. */
function isWrong(policy: string | undefined, { success, outcome }: EpisodeResult): boolean {
  if (!isAgentOutcome(outcome)) return true;
  return policy === 'liar' ? success : (policy === undefined || policy === 'oracle') && !success;
}

const flags = [
  ...(server === 'embedded' ? [] : [`--server ${server}`]),
  ...(command === undefined ? [] : [`--folder <folder> --preset ${preset}`]),
];
const section = [
  `## ${path.basename(SUITE)} on ${server}, with the test model`,
  `**Made with the test model.** The policies are programs that play a model: this table shows how the harness works, and measures no model. Made by \`npm run results${flags.length > 0 ? ` -- ${flags.join(' ')}` : ''}\`: ${[...about].join('; ')}.`,
  ...(command === undefined
    ? [
        `No external agent is in the table: ${preset} was not found in a folder that \`--folder\` or \`WAYMARK_AGENTS\` names.`,
      ]
    : []),
  resultsTable(rows),
  ...(wrong.length > 0 ? [`Not as it should be:\n\n${wrong.map((line) => `- ${line}`).join('\n')}`] : []),
].join('\n\n');
const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '# Results\n';
writeFileSync(PAGE, putSection(page, `${path.basename(SUITE)} on ${server}`, section));
console.log(section);
process.exitCode = wrong.length > 0 ? 1 : 0;
