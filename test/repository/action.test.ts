import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { commands } from '../../src/cli/commands.ts';
import { parseFlags } from '../../src/cli/parse.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const stepSchema = z
  .strictObject({
    name: z.string(),
    id: z.string().optional(),
    if: z.string().optional(),
    shell: z.literal('bash').optional(),
    env: z.record(z.string(), z.string()).optional(),
    run: z.string().optional(),
    uses: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
    'continue-on-error': z.boolean().optional(),
  })
  .refine(
    ({ run, uses, shell }) =>
      (run === undefined) !== (uses === undefined) && (run === undefined) === (shell === undefined),
    {
      error: 'a step of a composite action either runs a script in a shell or uses an action',
    },
  );
/** What GitHub takes as the metadata of a composite action. */
const actionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputs: z.record(
    z.string(),
    z.strictObject({ description: z.string(), required: z.boolean().optional(), default: z.string().optional() }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string(), value: z.string() })),
  runs: z.strictObject({ using: z.literal('composite'), steps: z.array(stepSchema).min(1) }),
});

function actionOf(): z.infer<typeof actionSchema> {
  const document = parseDocument(read('action.yml'));
  expect([...document.errors, ...document.warnings]).toEqual([]);
  return actionSchema.parse(document.toJS());
}

/** The words of each call of waymark in a script. */
function callsIn(script: string): string[][] {
  const lines = script.split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line.startsWith('waymark ') && !line.startsWith('waymark()'))
    .map((line) => line.split(/ \|\| | \| | > |;/)[0] ?? '')
    .map((line) => [...line.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', '')).slice(1));
}

async function expectToParse([name = '', ...args]: string[]): Promise<void> {
  const command = await commands[name]?.load();
  if (!command) throw new Error(`there is no command ${name}`);
  parseFlags(command, args);
}

describe('action.yml', () => {
  test('is a composite action whose steps and expressions name what there is', () => {
    const { inputs, outputs, runs } = actionOf();
    const ids = runs.steps.flatMap(({ id }) => id ?? []);
    const text = JSON.stringify([outputs, runs]);
    const used = [...text.matchAll(/\binputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
    const named = [...text.matchAll(/\bsteps\.([a-z-]+)/g)].map(([, id = '']) => id);
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('puts no input into the text of a script', () => {
    for (const { name, run = '' } of actionOf().runs.steps) expect(run, name).not.toContain('${{');
  });

  test('gives each script the variables that it reads', () => {
    for (const { name, run = '', env = {} } of actionOf().runs.steps) {
      const known = new Set([
        ...Object.keys(env),
        'RUNNER_TEMP',
        'GITHUB_OUTPUT',
        'GITHUB_STEP_SUMMARY',
        'GITHUB_REPOSITORY',
      ]);
      const read = [...run.matchAll(/\$\{?([A-Z][A-Z_]+)/g)].map(([, variable = '']) => variable);
      expect(
        read.filter((variable) => !known.has(variable)),
        name,
      ).toEqual([]);
    }
  });

  test('calls waymark with commands and flags that there are', async () => {
    const calls = actionOf().runs.steps.flatMap(({ run = '' }) => callsIn(run));
    expect(calls.map(([name]) => name)).toEqual(['run', 'compare', 'export']);
    for (const call of calls) await expectToParse(call);
  });
});

test('docs/how-to/run-in-ci.md explains every input, and its commands parse', async () => {
  const page = read('docs/how-to/run-in-ci.md');
  const rows = [...page.matchAll(/^\| `([a-z]+)` \|/gm)].map(([, name = '']) => name);
  expect(rows.sort()).toEqual(Object.keys(actionOf().inputs).sort());
  const [, example = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
  const document = parseDocument(example);
  expect(document.errors).toEqual([]);
  const { steps } = z
    .object({ jobs: z.object({ waymark: z.object({ steps: z.array(z.record(z.string(), z.unknown())) }) }) })
    .parse(document.toJS()).jobs.waymark;
  const given = Object(steps.find(({ uses }) => String(uses).includes('waymark'))?.['with']);
  expect(Object.keys(given).filter((name) => !rows.includes(name))).toEqual([]);
  await expectToParse(['run', ...String(given.args).split(' ')]);
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, text = '']) => text);
  const calls = blocks.flatMap(callsIn);
  expect(calls.length).toBeGreaterThanOrEqual(6);
  for (const call of calls) await expectToParse(call);
});
