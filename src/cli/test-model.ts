/** `waymark test-model`: a model for trying agents and tools without a key, behind the protocols of the vendors. */
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import {
  FAULT_NAMES,
  type FaultChoice,
  isPolicyName,
  POLICIES,
  type PolicyName,
  parseFault,
  startTestModel,
  type TestModel,
} from '../test-model/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { interruptible } from './interruptible.ts';
import { numberIn } from './number-flag.ts';
import { portOf } from './port-flag.ts';
import { seedsFlag, withInstances } from './task-instances.ts';
import type { Terminal } from './terminal.ts';

const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[];

export const testModelCommand = defineCommand({
  name: 'test-model',
  about: [
    'starts a model for trying agents without a key: an HTTP server on this machine that speaks the protocols of the vendors and replies by a policy.',
    'It prints the address for each kind of model and runs until Ctrl-C. Results that are made with it name it as waymark-test-model/<policy>.',
    `Policies: ${POLICY_NAMES.map((name) => `${name} (${POLICIES[name].about})`).join('; ')}.`,
    `Faults: ${FAULT_NAMES.join(', ')}.`,
    'A client may choose both by the name of the model: test:liar, test:fault-429, test:oracle:fault-500@2, test:seed-7.',
  ].join('\n'),
  flags: {
    policy: { type: 'string', value: '<name>', about: 'how it replies; a list is above (oracle)' },
    tasks: {
      type: 'string',
      value: '<path,…>',
      about: 'the tasks whose oracles the policies follow: files or folders; without them, it knows no way',
    },
    seeds: seedsFlag,
    seed: { type: 'string', value: '<number>', about: 'what chance is drawn from (1)' },
    port: { type: 'string', value: '<number>', about: 'the port; 0 means any free port (0)' },
    'think-ms': { type: 'string', value: '<number>', about: 'a pause before each reply (3000 for slow, otherwise 0)' },
    fault: {
      type: 'string',
      value: '<kind[@n],…>',
      about: 'what goes wrong with every request, or with the n-th one only',
    },
    key: { type: 'string', value: '<text>', about: 'refuse requests with another key; by default none is needed' },
    json: { type: 'boolean', about: 'print one JSON object when ready, and nothing else' },
  },
  examples: [
    { line: 'waymark test-model --tasks tasks/', does: 'a model that knows the way through your tasks' },
    { line: 'waymark test-model --policy wanderer --tasks tasks/ --seed 7', does: 'one that makes detours' },
    { line: 'waymark test-model --fault 429@1 --port 8123', does: 'the first request is refused' },
  ],
  async run(flags, terminal) {
    using interruption = interruptible((line) => terminal.err(`${line}\n`));
    const tasks = flags.tasks?.split(',').map((place) => path.resolve(terminal.cwd, place.trim())) ?? [];
    await using model = await startTestModel({
      policy: policyOf(flags.policy ?? 'oracle'),
      tasks: await withInstances(tasks, flags.seeds, terminal.cwd),
      faults: flags.fault?.split(',').map(faultOf),
      key: flags.key,
      port: portOf(flags.port, 0),
      ...numberIn(flags.seed, 'seed', 'seed'),
      ...numberIn(flags['think-ms'], 'thinkMs', 'think-ms'),
    });
    terminal.out(flags.json ? readyJson(model) : readyText(model, terminal));
    await aborted(interruption.signal);
    return EXIT.ok;
  },
});

function readyJson({ url, port, baseUrls }: TestModel): string {
  return `${JSON.stringify({ url, port, pid: process.pid, baseUrls })}\n`;
}

function readyText({ url, baseUrls }: TestModel, { paint }: Terminal): string {
  const lines = Object.entries(baseUrls).map(([kind, address]) => `  --model ${kind}:test --base-url ${address}`);
  return `The test model is at ${paint('bold', url)}\n${lines.join('\n')}\nPress Ctrl-C to stop.\n`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function policyOf(name: string): PolicyName {
  if (isPolicyName(name)) return name;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `There is no policy "${name}".`,
    hint: `Policies are: ${POLICY_NAMES.join(', ')}.`,
  });
}

function faultOf(text: string): FaultChoice {
  const fault = parseFault(text.trim());
  if (fault) return fault;
  throw new WaymarkError({
    code: 'usage_bad_value',
    message: `"${text}" is no fault.`,
    hint: `Faults are: ${FAULT_NAMES.join(', ')}; with @n for the n-th request only.`,
  });
}
