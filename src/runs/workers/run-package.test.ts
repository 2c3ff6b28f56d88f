import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeSuite } from '../../../test/workers/made-suite.ts';
import type { AttemptReader } from '../../graders/index.ts';
import { FolderArtifacts } from '../../store/index.ts';
import { resolveRun } from '../resolve-run.ts';
import type { TaskChoices } from '../resolve-tasks.ts';
import { inputDifferences } from '../run-inputs.ts';
import { resolveWorkRun } from './create-work-run.ts';
import { packRun } from './pack-run.ts';
import { neededVariables } from './travelling-choices.ts';
import { unpackRun } from './unpack-run.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'waymark-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const artifacts = new FolderArtifacts(path.join(folder, 'artifacts'));

/** A suite that uses files beside its folder, and has some that are nobody's business. */
function suiteWithOthers(): string {
  const suite = makeSuite(path.join(folder, 'repository', 'suite'), [
    { id: 'one' },
    { id: 'two', secret: 'LIST_SECRET' },
  ]);
  mkdirSync(path.join(folder, 'repository', 'shared'), { recursive: true });
  writeFileSync(path.join(folder, 'repository', 'shared', 'used.mjs'), "export * from './deeper.mjs';\n");
  writeFileSync(path.join(folder, 'repository', 'shared', 'deeper.mjs'), 'export const used = 1;\n');
  writeFileSync(path.join(folder, 'repository', 'shared', 'unused.mjs'), 'export const unused = 1;\n');
  writeFileSync(path.join(suite, 'helper.mjs'), "import { used } from '../shared/used.mjs';\nexport { used };\n");
  writeFileSync(path.join(suite, '.env'), 'PASSWORD=hidden\n');
  symlinkSync('/etc/passwd', path.join(suite, 'link'));
  return suite;
}

test('a run is the same run where its package is unpacked; hidden files, links and what is not used stay', async () => {
  const suite = suiteWithOthers();
  const choices = { tasks: [suite], trials: 2, maxSteps: 7, version: '1.0.0', experiment: 'e' };
  const run = await resolveWorkRun(choices);
  const key = await packRun(run, choices, artifacts);
  const into = path.join(folder, 'worker');
  const { choices: travelled, tasks, places } = await unpackRun(key, artifacts, into);
  const again = await resolveRun({ ...travelled, tasks, version: '1.0.0', hasSecrets: false });
  expect(inputDifferences(run.plan.inputs, again.plan.inputs)).toEqual([]);
  expect(again.plan.inputs.hash).toBe(run.plan.inputs.hash);
  expect(again.plan.suite).toEqual(run.plan.suite);
  expect([...again.tasks.values()].map(({ task }) => [task.id, task.maxSteps])).toEqual([
    ['one', 7],
    ['two', 7],
  ]);
  expect(places).toEqual([path.join(into, 'suite')]);
  expect(readFileSync(path.join(into, 'suite', 'fixture.mjs'), 'utf8')).toBe(
    readFileSync(path.join(suite, 'fixture.mjs'), 'utf8'),
  );
  const packed = JSON.parse(readFileSync(path.join(folder, 'artifacts', key), 'utf8')) as { files: { path: string }[] };
  expect(packed.files.map((file) => file.path)).toEqual([
    'shared/deeper.mjs',
    'shared/used.mjs',
    'suite/fixture.mjs',
    'suite/helper.mjs',
    'suite/one.task.json',
    'suite/one.transcript.json',
    'suite/site/page.mjs',
    'suite/two.task.json',
    'suite/two.transcript.json',
  ]);
  // The same suite again is the same package.
  expect(await packRun(run, choices, artifacts)).toBe(key);
});

test('graders travel: names, modules with what they import, settings with what they name; also those that tasks name outside the suite', async () => {
  const root = path.join(folder, 'graded');
  const suite = makeSuite(path.join(root, 'suite'), [{ id: 'one' }]);
  for (const name of ['graders', 'empty']) mkdirSync(path.join(root, name));
  const module = (name: string) =>
    `import '../graders/used.mjs';\nexport default { name: '${name}', version: '1', grade: async () => ({ verdict: 'pass' }) };\n`;
  writeFileSync(path.join(root, 'graders', 'used.mjs'), 'export const used = 1;\n');
  for (const name of ['named', 'whole', 'of-settings', 'of-task'])
    writeFileSync(path.join(root, 'graders', `${name}.mjs`), module(name));
  writeFileSync(path.join(root, 'graders', 'unused.mjs'), module('unused'));
  const settings = { grader: 'module', name: 'settings', file: '../graders/of-settings.mjs' };
  writeFileSync(path.join(root, 'settings.json'), JSON.stringify(settings));
  const file = path.join(suite, 'one.task.json');
  const task = JSON.parse(readFileSync(file, 'utf8')) as object;
  const graders = [{ grader: 'module', name: 'of-task', file: '../graders/of-task.mjs' }];
  writeFileSync(file, JSON.stringify({ ...task, graders }));
  const given = ['webvoyager', '../graders/named.mjs', path.join(root, 'graders', 'whole.mjs'), '../settings.json'];
  const choices = { tasks: [suite], version: '1.0.0', grading: { folder: path.join(root, 'empty'), graders: given } };
  const key = await packRun(await resolveWorkRun(choices), choices, artifacts);
  const into = path.join(folder, 'graded-worker');
  const { choices: travelled, tasks } = await unpackRun(key, artifacts, into);
  // Nothing is left of where they came from.
  rmSync(root, { recursive: true });
  const again = await resolveRun({ ...travelled, tasks, version: '1.0.0', hasSecrets: false });
  const made = await again.grading?.gradersOf({
    ref: { runId: '', caseId: 'one', trial: 1, attempt: 1 },
  } as AttemptReader);
  expect(made?.map(({ name }) => name).sort()).toEqual(['named', 'of-task', 'settings', 'webvoyager', 'whole']);
  const packed = JSON.parse(readFileSync(path.join(folder, 'artifacts', key), 'utf8')) as { files: { path: string }[] };
  expect(packed.files.map((one) => one.path).filter((one) => !one.startsWith('suite/'))).toEqual([
    'graders/named.mjs',
    'graders/of-settings.mjs',
    'graders/of-task.mjs',
    'graders/used.mjs',
    'graders/whole.mjs',
    'settings.json',
  ]);
});

test('a file that was changed on the way is refused', async () => {
  const suite = makeSuite(path.join(folder, 'changed'), [{ id: 'one' }]);
  const choices = { tasks: [suite], version: '1.0.0' };
  const key = await packRun(await resolveWorkRun(choices), choices, artifacts);
  const packed = JSON.parse(readFileSync(path.join(folder, 'artifacts', key), 'utf8')) as {
    files: { sha256: string }[];
  };
  const [{ sha256 = '' } = {}] = packed.files;
  const file = path.join(folder, 'artifacts', 'sha256', sha256.slice(0, 2), sha256);
  const before = readFileSync(file);
  writeFileSync(file, 'something else');
  const unpacking = unpackRun(key, artifacts, path.join(folder, 'refused'));
  await expect(unpacking).rejects.toMatchObject({ code: 'run_package_bad' });
  writeFileSync(file, before);
});

test('a run names the variables that hold keys, and needs no key to be made', async () => {
  const suite = makeSuite(path.join(folder, 'keys'), [{ id: 'one' }]);
  const model = { kind: 'openai', model: 'gpt-5-mini' } as const;
  const choices = { tasks: [suite], version: '1.0.0', agent: 'single', model, env: {} };
  expect(neededVariables(choices)).toEqual(['OPENAI_API_KEY']);
  expect((await resolveWorkRun(choices)).agent.kind).toBe('single');
});

test('a folder that is no suite is refused before it travels', async () => {
  const suite = makeSuite(path.join(folder, 'large'), [{ id: 'one' }]);
  for (let index = 0; index < 5_001; index++) writeFileSync(path.join(suite, `file-${index}.txt`), '');
  const choices = { tasks: [suite], version: '1.0.0' };
  const packing = packRun(await resolveWorkRun(choices), choices, artifacts);
  await expect(packing).rejects.toMatchObject({ code: 'usage_suite_too_large' });
});

test.each([
  [{ agent: './agent.mjs' }, 'An agent that is a file or an object does not travel to workers.'],
  [
    {
      grading: {
        folder: '.',
        graders: [{ name: 'own', version: '1', grade: async () => ({ verdict: 'pass' as const, reasoning: '' }) }],
      },
    },
    'A grader that is an object does not travel to workers.',
  ],
  [
    { server: { server: 'playwright', env: { TOKEN: 'abc' } } },
    'The configuration of the server has a value for "TOKEN" in its env, which would travel to the database with the run.',
  ],
] satisfies [Partial<TaskChoices>, string][])('%j is refused before anything is made', async (choices, sentence) => {
  const suite = makeSuite(path.join(folder, 'refused'), [{ id: 'one' }]);
  const refused = resolveWorkRun({ tasks: [suite], version: '1.0.0', ...choices });
  await expect(refused).rejects.toMatchObject({ code: 'usage_bad_value', message: `${sentence} Nothing was run.` });
});
