/** Pages in the convention of MiniWoB++: imported with seeds, run in a real browser, and judged by the reward of the page. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunReport } from '../../src/runs/index.ts';
import { type Folder, temporaryFolder, waymark } from '../cli/command-line.ts';

const PAGES = fileURLToPath(new URL('miniwob-pages', import.meta.url));

let folder: Folder;
beforeAll(async () => {
  folder = temporaryFolder();
  const args = ['import', PAGES, '--format', 'miniwob', '--seeds', '0..1', '--out', 'tasks'];
  expect(await waymark(args, folder.path)).toMatchObject({ code: 0, err: '' });
});
afterAll(() => folder[Symbol.dispose]());

/** Reads the instruction, does what the page says, or not, and waits for a further look. Where the contract has passed, the attempt is over. */
const agent = (act: string) => `export default {
  kind: 'presses',
  async run(session) {
    const ask = (code) => session.step({ tool: 'javascript_tool', arguments: { code } });
    await ask("document.readyState === 'complete' || await new Promise((done) => addEventListener('load', done))");
    await ask("document.querySelector('#query').textContent");
    await ask(${JSON.stringify(`(() => { const query = document.querySelector('#query').textContent; ${act} })()`)});
    await ask('1').catch(() => {});
    return {};
  },
};
`;
const RIGHT = `const number = /\\d+/.exec(query);
  if (number) [...document.querySelectorAll('#area button')].find((one) => one.textContent === number[0]).click();
  else { document.querySelector('#word').value = /"(\\w+)"/.exec(query)[1]; document.querySelector('#submit').click(); }`;
const WRONG = `const number = /\\d+/.exec(query);
  if (number) [...document.querySelectorAll('#area button')].find((one) => one.textContent !== number[0]).click();
  else document.querySelector('#submit').click();`;
/** Once more after a failure: by the START cover, and by what the page offers then. */
const AGAIN = `${WRONG} document.querySelector('#sync-task-cover').click(); { const query = document.querySelector('#query').textContent; ${RIGHT} }`;

/** By task: its outcome, and the instruction that the agent has read. */
async function outcomes(name: string, act: string): Promise<Record<string, [string | undefined, string | undefined]>> {
  writeFileSync(path.join(folder.path, `${name}.mjs`), agent(act));
  const inFolder = (one: string): string => path.join(folder.path, one);
  await waymark(['run', inFolder('tasks'), '--agent', inFolder(`${name}.mjs`), '--out', inFolder(name)], folder.path);
  const report = JSON.parse(readFileSync(inFolder(`${name}/report.json`), 'utf8')) as RunReport;
  const told = instructions(inFolder(name));
  return Object.fromEntries(report.episodes.map(({ taskId, outcome }) => [taskId, [outcome, told.get(taskId)]]));
}

function instructions(run: string): Map<string, string> {
  const journals = readdirSync(run, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('events.jsonl'),
  );
  const found = journals.map((journal): [string, string] => {
    const lines = readFileSync(path.join(run, journal), 'utf8').trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { type: string; taskId?: string; text?: string });
    const said = events.find(({ type, text = '' }) => type === 'tool_result' && /^"?(Press|Enter) /.test(text));
    return [events[0]?.taskId ?? '', said?.text ?? ''];
  });
  return new Map(found);
}

test('a task for each page and seed, with the pages, and with the hash of the folder', () => {
  const tasks = path.join(folder.path, 'tasks');
  expect(readdirSync(tasks)).toEqual([
    'fixture.mjs',
    'miniwob-enter-word.seed0.task.json',
    'miniwob-enter-word.seed1.task.json',
    'miniwob-press-number.seed0.task.json',
    'miniwob-press-number.seed1.task.json',
    'pages',
    'suite.json',
  ]);
  expect(existsSync(path.join(tasks, 'pages/core/core.js'))).toBe(true);
  expect(JSON.parse(readFileSync(path.join(tasks, 'miniwob-press-number.seed1.task.json'), 'utf8'))).toMatchObject({
    title: 'Press the number, seed 1',
    startUrl: 'http://miniwob.test/miniwob/press-number.html?waymark-seed=1',
    source: {
      format: 'miniwob',
      file: 'miniwob-pages',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      row: 'miniwob/press-number.html',
    },
  });
});

test('the reward decides, a seed is the same problem every time, and there is one try', async () => {
  const right = await outcomes('right', RIGHT);
  const queries = Object.values(right).map(([, query]) => query);
  expect(Object.values(right).map(([outcome]) => outcome)).toEqual(['passed', 'passed', 'passed', 'passed']);
  expect(new Set(queries).size).toBe(4);
  const again = await outcomes('again', AGAIN);
  expect(again).toEqual(Object.fromEntries(Object.entries(right).map(([id, [, query]]) => [id, ['failed', query]])));
  const run = JSON.parse(readFileSync(path.join(folder.path, 'right', 'run.json'), 'utf8')) as object;
  expect(JSON.stringify(run)).toContain('"sources":[{"format":"miniwob","file":"miniwob-pages","sha256":"');
});

test.each<[string, (place: string) => void, string]>([
  [
    'a page that does not load core.js',
    (place) =>
      writeFileSync(path.join(place, 'miniwob/odd.html'), '<div id="query"></div><script>core.startEpisode()</script>'),
    'miniwob/odd.html: html: does not load core/core.js, as pages of MiniWoB++ do.',
  ],
  [
    'a link',
    (place) => symlinkSync('/etc/hosts', path.join(place, 'miniwob/link.html')),
    'miniwob/link.html is no ordinary file.',
  ],
  [
    'a name that is no name',
    (place) =>
      writeFileSync(path.join(place, 'miniwob/a b.html'), readFileSync(path.join(PAGES, 'miniwob/enter-word.html'))),
    'miniwob/a b.html: path: must be the name of a page',
  ],
])('%s is refused, and nothing is written', async (_, spoil, message) => {
  using other = temporaryFolder(PAGES);
  spoil(other.path);
  const out = path.join(folder.path, 'refused');
  const { code, err } = await waymark(['import', other.path, '--format', 'miniwob', '--out', out]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  expect(existsSync(out)).toBe(false);
});

test('a folder of something else, and seeds that are none, are refused', async () => {
  using other = temporaryFolder();
  mkdirSync(path.join(other.path, 'miniwob'));
  const importing = (...flags: string[]) =>
    waymark(['import', other.path, '--format', 'miniwob', '--out', path.join(other.path, 'tasks'), ...flags]);
  expect((await importing()).err).toContain('has no core/core.js, or no page in miniwob/.');
  expect((await importing('--seeds', '5..1')).err).toContain('"5..1" is not a seed or a range of seeds.');
  expect((await importing('--seeds', '0..5000')).err).toContain('--seeds has more than 1000 seeds.');
});

test('a list of BrowserGym names pages with their seeds, and rows of other files', async () => {
  using other = temporaryFolder();
  const put = (name: string, content: string): string => {
    writeFileSync(path.join(other.path, name), content);
    return name;
  };
  const rows = fileURLToPath(new URL('benchmarks/webarena.json', import.meta.url));
  const importing = (list: string, ...flags: string[]) =>
    waymark(['import', list, '--format', 'browsergym', '--out', 'tasks', ...flags], other.path);
  const csv = put(
    'list.csv',
    'task_name,comment,browsergym_split\nminiwob.press-number,"a, b",train\nworkarena.sort,,test\nwebarena.44,,test\n',
  );
  const data = ['--data', `miniwob=${PAGES},webarena=${rows}`, '--site', 'GITLAB=http://git.test'];
  expect(await importing(csv, ...data, '--seeds', '3,7')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^3 tasks written to tasks\n {2}3 by the contract\n[\s\S]*Tasks of workarena cannot be imported\. workarena\.sort\n/,
    ),
  });
  const { source } = JSON.parse(readFileSync(path.join(other.path, 'tasks/webarena-44.task.json'), 'utf8'));
  expect(source).toMatchObject({ format: 'webarena', file: 'webarena.json', list: { file: 'list.csv' } });
  expect(existsSync(path.join(other.path, 'tasks/pages/miniwob/press-number.html'))).toBe(true);

  const json = put('list.json', '[{"task_name": "browsergym/miniwob.enter-word", "task_seed": 5, "max_steps": 9}]');
  expect((await importing(json, ...data, '--out', 'more')).err).toContain('--out is given twice.');
  using third = temporaryFolder();
  const made = await waymark(
    ['import', path.join(other.path, json), '--format', 'browsergym', ...data, '--out', '.'],
    third.path,
  );
  expect(made.code).toBe(0);
  const task = JSON.parse(readFileSync(path.join(third.path, 'miniwob-enter-word.seed5.task.json'), 'utf8'));
  expect(task).toMatchObject({ maxSteps: 9, determinism: { seed: 5 } });

  const wrong = put('wrong.txt', 'miniwob.press-number\nminiwob.no-such-page\n../x\nwebarena.9999\n');
  const { code, err } = await importing(wrong, ...data);
  expect(code).toBe(2);
  expect(err).toContain('line 2: There is no miniwob.no-such-page in ');
  expect(err).toContain('line 3: ');
  expect(err).toContain('line 4: There is no webarena.9999 in ');
});
