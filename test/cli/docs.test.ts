import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { commandsPage } from '../../scripts/commands-page.ts';
import { errorsPage } from '../../scripts/errors-page.ts';
import { GRADER_KINDS, parseTask, TASK_LIMITS, taskSchema } from '../../src/cases/index.ts';
import { commands } from '../../src/cli/commands.ts';
import { LINT_RULES } from '../../src/cli/lint/finding.ts';
import { episodeResult } from '../../src/events/index.ts';
import { HTML_LIMITS } from '../../src/view/limits.ts';
import { documentedEvents } from '../journal/documented-events.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/reference');
const read = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
/** Names in the first column of tables. */
const rows = (page: string): string[] =>
  [...page.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );

test('docs/reference/commands.md is current (if not: node scripts/make-commands-page.ts)', async () => {
  expect(read('commands.md')).toBe(await commandsPage());
});

test('docs/reference/errors.md is current (if not: node scripts/make-errors-page.ts)', () => {
  expect(read('errors.md')).toBe(errorsPage());
});

test('every command has --json and examples that start with an existing command', async () => {
  for (const [name, { load }] of Object.entries(commands)) {
    const { flags, examples } = await load();
    expect(Object.keys(flags), name).toContain('json');
    expect(examples.length, name).toBeGreaterThan(0);
    for (const { line } of examples) expect(line).toContain(`waymark ${name}`);
  }
});

test('the task of docs/reference/task.md is valid and shows every field; the table explains every field', () => {
  const page = read('task.md');
  const task: unknown = JSON.parse(/^```json\n(.*?)^```$/ms.exec(page)?.[1] ?? '');
  expect(parseTask(task)).toMatchObject({ ok: true });
  const fields = Object.keys(taskSchema.shape);
  expect(fields.filter((field) => !Object.hasOwn(Object(task), field))).toEqual([]);
  expect(fields.filter((field) => !rows(page).includes(field))).toEqual([]);
  expect(page).toContain(`1 to ${TASK_LIMITS.maxSteps}`);
  expect(page).toContain(`1 to ${TASK_LIMITS.maxDurationMs.toLocaleString('en')}`);
});

test('docs/reference/graders.md names every grader, and what it links to is on the page', () => {
  const page = read('graders.md');
  const named = [...page.matchAll(/^\| \[?`([a-z-]+)`(?:\]\(#([a-z-]+)\))? \|/gm)];
  const names = named.map(([, name]) => name);
  expect(GRADER_KINDS.filter((kind) => !names.includes(kind))).toEqual([]);
  const links = named.flatMap(([, , link]) => link ?? []);
  expect(links.filter((link) => !page.includes(`\n## ${link}\n`))).toEqual([]);
});

test.each(['graders.md', 'task.md', '../how-to/choose-a-grader.md'])(
  '%s shows graders that a task can have',
  (name) => {
    const blocks = [...read(name).matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = '']) => JSON.parse(text));
    const settings = blocks.filter(
      // Neither a whole task nor what a program is given.
      (block) => !('id' in block || 'attempt' in block) && ('grader' in block || 'graders' in block),
    );
    expect(settings.length).toBeGreaterThan(0);
    const task = { id: 'a', title: 'a', startUrl: 'https://a.example/', goal: 'a', success: { kind: 'no_dialog' } };
    for (const block of settings) {
      const given = 'grader' in block ? { graders: [block] } : block;
      expect(parseTask({ ...task, ...given }), JSON.stringify(block)).toMatchObject({ ok: true });
    }
  },
);

test('docs/reference/result.md explains every field of a result, and the actual limits', () => {
  const page = read('result.md');
  const result = episodeResult(documentedEvents, { artifacts: { eventsJsonl: '', reportJson: '' } });
  expect(Object.keys(result).length).toBeGreaterThan(20);
  expect(
    Object.keys({ ...result, tokens: 1, answer: 1, failedContract: 1, grades: 1, decidedBy: 1 }).filter(
      (field) => !rows(page).includes(field),
    ),
  ).toEqual([]);
  const limits = HTML_LIMITS;
  for (const sentence of [
    `up to ${limits.pictureBytes / 2 ** 20} MiB (at most ${limits.picturesPerEpisode} of an attempt, in ${limits.episodesWithPictures} attempts`,
    `at most ${limits.text.toLocaleString('en')} characters of a result or of arguments, ${limits.logEntries} requests, console lines and dialogs, ${limits.messages} messages`,
    `longer than ${limits.inlineText / 2 ** 20} MiB`,
    `Above ${limits.chunkText / 2 ** 20} MiB`,
    `above ${limits.rows.toLocaleString('en')} attempts`,
  ])
    expect(page).toContain(sentence);
});

test.each(['task.md', 'result.md', 'commands.md'])('%s links to files that exist', (name) => {
  const links = [...read(name).matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
});

test('docs/reference/task.md names the rules of lint with their severity, all of them and no others', () => {
  const table = read('task.md').split('| rule | severity |')[1] ?? '';
  const named = [...table.matchAll(/^\| (`[^|]*`) \| (\w+) \|/gm)].flatMap(([, names = '', severity = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, severity]),
  );
  expect(Object.fromEntries(named)).toEqual(LINT_RULES);
});
