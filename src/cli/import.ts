/** `waymark import`: a file or a folder of another benchmark becomes a folder of tasks. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type ImportedSource,
  importSource,
  LISTED_BENCHMARKS,
  MAX_SEED,
  readJson,
  readReferenceAnswers,
  type Sites,
  TASK_FORMATS,
  type TaskFormat,
  writeSuite,
} from '../cases/importing.ts';
import { counted, messageOf, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { importJson, importText } from './import-text.ts';

export const importCommand = defineCommand({
  name: 'import',
  about: [
    `makes task files of the rows of another benchmark: ${TASK_FORMATS.join(', ')}. Each has the graders of its row, and names the one that decides.`,
    'What can be judged by facts is; otherwise the task names a judge. A row that needs code of the benchmark is listed with the grader that could run it. If a row is not what the format says, nothing is written.',
    'Exit code: 0 written, 2 a row or a flag can’t be used, or a file already exists.',
  ].join('\n'),
  operands: {
    label: '<file>',
    about:
      'as the benchmark publishes it: a JSON array, JSON lines, a folder of JSON files (real) or of pages (miniwob)',
  },
  flags: {
    format: { type: 'string', value: '<name>', about: `one of ${TASK_FORMATS.join(', ')}` },
    site: {
      type: 'string',
      value: '<NAME=URL,…>',
      isList: true,
      about: 'where the sites are that the rows name as __NAME__, separated by commas',
    },
    seeds: { type: 'string', value: '<0..9>', about: 'of miniwob: a range or a list of seeds, a task for each (0)' },
    data: {
      type: 'string',
      value: '<name=path,…>',
      isList: true,
      about: `of browsergym: where the rows are that it names: ${LISTED_BENCHMARKS.join(', ')}`,
    },
    answers: { type: 'string', value: '<file>', about: 'of webvoyager: its reference answers, kept for people' },
    'allow-writes': {
      type: 'boolean',
      about: 'tasks may change something on the public site that they start on (network.allowWrites)',
    },
    out: { type: 'string', value: '<folder>', about: 'where the task files go' },
    json: { type: 'boolean', about: 'print counts, notes and reasons as JSON and nothing else' },
  },
  examples: [
    {
      line: 'waymark import test.raw.json --format webarena --site SHOPPING=http://shop:7770,GITLAB=http://git:8023 --out tasks/webarena',
      does: 'the tasks of two sites; the rows of the others are listed',
    },
    {
      line: 'waymark import miniwob-plusplus/miniwob/html --format miniwob --seeds 0..4 --out tasks/miniwob',
      does: 'five tasks for each page, with a copy of the pages',
    },
    {
      line: 'waymark import miniwob.csv --format browsergym --data miniwob=miniwob-plusplus/miniwob/html --out tasks/list',
      does: 'the tasks that a list of BrowserGym names',
    },
  ],
  async run(flags, terminal, operands) {
    const format = formatOf(flags.format);
    if (flags.out === undefined) throw usage('Give --out <folder>.');
    const [place] = operands;
    if (place === undefined || operands.length > 1)
      throw new WaymarkError({ code: 'usage_one_file', message: 'Give one file or folder: the benchmark’s rows.' });
    onlyFor(flags.seeds, 'seeds', format, ['miniwob', 'browsergym']);
    onlyFor(flags.data, 'data', format, ['browsergym']);
    onlyFor(flags.answers, 'answers', format, ['webvoyager']);
    const at = (one: string): string => path.resolve(terminal.cwd, one);
    const imported = importSource({
      place: at(place),
      format,
      options: {
        sites: namedValues('site', flags.site ?? '', /^[A-Z][A-Z0-9_]*$/, 'SHOPPING=http://127.0.0.1:7770'),
        allowWrites: flags['allow-writes'],
        answers: flags.answers === undefined ? undefined : answersOf(at(flags.answers)),
      },
      seeds: seedsOf(flags.seeds ?? '0'),
      data: dataOf(flags.data ?? '', at),
    });
    if (imported.invalid.length > 0) throw refused(imported.invalid);
    if (imported.tasks.length + imported.notPortable.length === 0) throw usage('The file has no rows.');
    const folder = at(flags.out);
    const files = writeSuite(folder, imported);
    terminal.out(
      flags.json
        ? importJson(imported, folder, files)
        : importText(imported, path.relative(terminal.cwd, folder) || '.'),
    );
    return EXIT.ok;
  },
});

function formatOf(given: string | undefined): TaskFormat {
  const format = TASK_FORMATS.find((one) => one === given);
  if (format) return format;
  const hint = `There are ${TASK_FORMATS.join(', ')}.`;
  throw usage(given === undefined ? 'Give --format <name>.' : `There is no format "${given}".`, hint);
}

function onlyFor(value: string | undefined, flag: string, format: TaskFormat, formats: readonly TaskFormat[]): void {
  if (value !== undefined && !formats.includes(format))
    throw usage(`--${flag} is for ${formats.join(' and ')}, not for ${format}.`);
}

function namedValues(flag: string, given: string, nameRule: RegExp, example: string): Sites {
  const values: Record<string, string> = {};
  for (const part of given.split(',').filter((one) => one.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([^=\s]+)=(\S.*?)\s*$/.exec(part) ?? [];
    if (!nameRule.test(name))
      throw usage(`"${part.trim()}" is not a value of --${flag}.`, `Write for example ${example}`);
    if (Object.hasOwn(values, name)) throw usage(`--${flag} names ${name} twice.`);
    values[name] = value;
  }
  return values;
}

function dataOf(given: string, at: (file: string) => string): Record<string, string> {
  const named = Object.entries(namedValues('data', given, /^[a-z_]+$/, 'webarena=test.raw.json'));
  const unknown = named.find(([name]) => !LISTED_BENCHMARKS.includes(name));
  if (unknown) throw usage(`--data has no benchmark "${unknown[0]}".`, `There are ${LISTED_BENCHMARKS.join(', ')}.`);
  return Object.fromEntries(named.map(([name, file]) => [name, at(file)]));
}

const MAX_SEEDS = 1_000;

function seedsOf(given: string): number[] {
  const seeds = given.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,10})(?:\.\.(\d{1,10}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || to < from || to > MAX_SEED)
      throw usage(
        `"${part.trim()}" is not a seed or a range of seeds.`,
        'Write for example --seeds 0..9 or --seeds 1,5.',
      );
    return Array.from({ length: Math.min(to - from + 1, MAX_SEEDS + 1) }, (_, index) => from + index);
  });
  if (seeds.length > MAX_SEEDS) throw usage(`--seeds has more than ${MAX_SEEDS} seeds.`);
  return [...new Set(seeds)];
}

function answersOf(file: string): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw usage(`${file} can't be read: ${messageOf(cause)}.`);
  }
  const read = readJson(text);
  const answers = 'problem' in read ? read : readReferenceAnswers(read.value);
  if ('problem' in answers) throw usage(`${file} is not a file of reference answers. ${answers.problem}`);
  return answers;
}

const MAX_SHOWN = 20;

function refused(invalid: ImportedSource['invalid']): WaymarkError {
  const all = [...new Set(invalid.map(({ place, reason }) => `${place}: ${reason}`))];
  const more = all.length > MAX_SHOWN ? [`… and ${all.length - MAX_SHOWN} more.`] : [];
  const lines = [...all.slice(0, MAX_SHOWN), ...more];
  const message = `${counted(all.length, 'row')} can't be used; nothing was written.\n${lines.join('\n')}`;
  return new WaymarkError({ code: 'usage_bad_tasks', message, hint: 'Check the file and --format.' });
}

function usage(message: string, hint = 'See: waymark import --help'): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
