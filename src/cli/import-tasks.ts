/** `waymark import-tasks`: the rows of another benchmark become task files. */
import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAX_BODY_BYTES } from '../archives/index.ts';
import { importTasks, type Sites, sha256Hex, TASK_FORMATS, type TaskFormat, type TaskImport } from '../cases/index.ts';
import { counted, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { readOperand } from './harness-api.ts';
import type { Terminal } from './terminal.ts';

const SUITE_FILE = 'suite.json';

export const importTasksCommand = defineCommand({
  name: 'import-tasks',
  about: [
    `makes task files of the rows of another benchmark: ${TASK_FORMATS.join(', ')}. Each has the graders of its row, and names the one that decides.`,
    'A row whose rules can’t be stated here (it asks a model, or needs code of the benchmark) is listed with the reason. If a row is not what the format says, nothing is written.',
    'Exit code: 0 written, 2 a row or a flag can’t be used, or a file already exists.',
  ].join('\n'),
  operands: { label: '<file>', about: 'a JSON array or JSON lines, as the benchmark publishes it' },
  flags: {
    format: { type: 'string', value: '<name>', about: `one of ${TASK_FORMATS.join(', ')}` },
    site: {
      type: 'string',
      value: '<NAME=URL,…>',
      about: 'where the sites are that the rows name as __NAME__, separated by commas',
    },
    out: { type: 'string', value: '<folder>', about: 'where the task files go' },
    json: { type: 'boolean', about: 'print the tasks, notes and reasons as JSON and nothing else' },
  },
  examples: [
    {
      line: 'waymark import-tasks test.raw.json --format webarena --site SHOPPING=http://shop:7770,GITLAB=http://git:8023 --out tasks/webarena',
      does: 'the tasks of two sites; the rows of the others are listed',
    },
  ],
  async run(flags, terminal, operands) {
    const format = formatOf(flags.format);
    if (flags.out === undefined) throw usage('Give --out <folder>.');
    const bytes = readOperand(operands, 'the benchmark’s rows', terminal);
    if (bytes.length > MAX_BODY_BYTES) throw usage(`The file is larger than ${MAX_BODY_BYTES} bytes.`);
    if (!isUtf8(bytes)) throw usage('The file is not UTF-8 text.');
    const imported = importTasks(bytes.toString('utf8'), format, sitesOf(flags.site ?? ''));
    if (imported.invalid.length > 0) throw refused(imported.invalid);
    if (imported.tasks.length + imported.notPortable.length === 0) throw usage('The file has no rows.');
    const folder = path.resolve(terminal.cwd, flags.out);
    const source = { file: path.basename(operands[0] ?? ''), format, sha256: sha256Hex(bytes) };
    const files = write(folder, imported, source);
    if (flags.json) {
      const { tasks, notPortable } = imported;
      const notes = tasks.map(({ task, notes: own }) => ({ id: task.id, notes: own }));
      terminal.out(`${JSON.stringify({ ...source, folder, files, notes, notPortable }, null, 2)}\n`);
    } else print(imported, path.relative(terminal.cwd, folder) || '.', terminal);
    return EXIT.ok;
  },
});

function formatOf(given: string | undefined): TaskFormat {
  const format = TASK_FORMATS.find((one) => one === given);
  if (format) return format;
  throw usage(given === undefined ? 'Give --format <name>.' : `There is no format "${given}".`);
}

function sitesOf(given: string): Sites {
  const sites: Record<string, string> = {};
  for (const part of given.split(',').filter((one) => one.trim() !== '')) {
    const [, name, address = ''] = /^\s*([A-Z][A-Z0-9_]*)=(\S+)\s*$/.exec(part) ?? [];
    if (name === undefined)
      throw usage(`"${part.trim()}" is not a site.`, 'Write NAME=URL, for example SHOPPING=http://127.0.0.1:7770');
    if (Object.hasOwn(sites, name)) throw usage(`The site ${name} is given twice.`);
    sites[name] = address;
  }
  return sites;
}

/** Everything is checked before the first file is written. */
function write(
  folder: string,
  { tasks }: TaskImport,
  { file, format, sha256 }: Record<'file' | 'format' | 'sha256', string>,
): string[] {
  const about = `Imported by waymark import-tasks from ${file} (${format}, SHA-256 ${sha256}).`;
  const contents = new Map<string, unknown>([
    [SUITE_FILE, { about }],
    ...tasks.map(({ task }): [string, unknown] => [`${task.id}.task.json`, task]),
  ]);
  const names = [...contents.keys()];
  const there = names.find((name) => existsSync(path.join(folder, name)));
  if (there !== undefined)
    throw usage(`${path.join(folder, there)} already exists.`, 'Choose another folder with --out.');
  if (tasks.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of contents)
    writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
  return names;
}

function print({ tasks, notPortable }: TaskImport, folder: string, terminal: Terminal): void {
  terminal.out(
    tasks.length === 0 ? 'No task was written.\n' : `${counted(tasks.length, 'task')} written to ${folder}\n`,
  );
  const noted = groups(tasks.flatMap(({ task, notes }) => notes.map((reason) => ({ id: task.id, reason }))));
  if (noted.size > 0) terminal.out('\nNotes:\n');
  for (const [reason, ids] of noted)
    terminal.out(`  ${reason} ${counted(ids.length, 'task')}, the first is ${ids[0]}\n`);
  if (notPortable.length > 0) terminal.out(`\n${counted(notPortable.length, 'row')} without a counterpart here:\n`);
  for (const [reason, ids] of groups(notPortable)) terminal.out(`  ${reason} ${ids.join(', ')}\n`);
  if (tasks.length > 0) terminal.out(`\nNext: waymark lint ${folder}\n`);
}

/** What differs from row to row stands in brackets at the end of a reason; --json has it. */
function groups(rows: readonly { id: string; reason: string }[]): Map<string, string[]> {
  const byReason = new Map<string, string[]>();
  for (const { id, reason } of rows) {
    const key = reason.replace(/ \(.*\)\.$/s, '.');
    byReason.set(key, [...(byReason.get(key) ?? []), id]);
  }
  return byReason;
}

const MAX_SHOWN = 20;

function refused(invalid: TaskImport['invalid']): WaymarkError {
  const lines = invalid.slice(0, MAX_SHOWN).map(({ place, reason }) => `${place}: ${reason}`);
  const more = invalid.length > MAX_SHOWN ? [`… and ${invalid.length - MAX_SHOWN} more.`] : [];
  const message = `${counted(invalid.length, 'row')} can't be used; nothing was written.\n${[...lines, ...more].join('\n')}`;
  return new WaymarkError({ code: 'usage_bad_tasks', message, hint: 'Check the file and --format.' });
}

function usage(message: string, hint = 'See: waymark import-tasks --help'): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message, hint });
}
