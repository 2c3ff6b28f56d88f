/** `waymark new task <id>`: files to begin with. They run as they are, without internet, and pass `waymark lint`. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseTask } from '../cases/index.ts';
import { WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { scaffold } from './new/scaffold.ts';

export const newCommand = defineCommand({
  name: 'new',
  about: [
    'begins a task: <id>.task.json and <id>.transcript.json; without --url also <id>.recording.json, a small page to try it on.',
    'No file is written over. Exit code: 0 written, 2 wrong usage or a file is there already.',
  ].join('\n'),
  operands: { label: 'task <id>', about: 'the task’s id: lower-case letters, digits, ".", "_" and "-"' },
  flags: {
    url: { type: 'string', value: '<url>', about: 'where the task starts; default: a page of its own, as a recording' },
    out: { type: 'string', value: '<folder>', about: 'where the files go; default: here' },
    json: { type: 'boolean', about: 'print the files as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark new task first-task', does: 'a task that runs as it is: waymark run first-task.task.json' },
    {
      line: 'waymark new task find-docs --url https://example.com/ --out tasks',
      does: 'a task on a site, to be filled in',
    },
  ],
  async run(flags, terminal, [kind, id, ...more]) {
    if (kind !== 'task' || id === undefined || more.length > 0) {
      throw usage('Say what to begin and its id.', 'For example: waymark new task first-task');
    }
    const files = scaffold(id, flags.url);
    const problem = problemOf(files);
    if (problem !== undefined)
      throw usage(problem, 'For example: waymark new task first-task --url https://example.com/');
    const folder = path.resolve(terminal.cwd, flags.out ?? '.');
    const written = Object.entries(files).map(([name, content]) => ({ file: path.join(folder, name), content }));
    const there = written.find(({ file }) => existsSync(file));
    if (there) throw usage(`${there.file} is there already.`, 'Choose another id, or another folder with --out.');
    mkdirSync(folder, { recursive: true });
    for (const { file, content } of written)
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
    const task = path.relative(terminal.cwd, path.join(folder, `${id}.task.json`));
    const names = written.map(({ file }) => file);
    if (flags.json) terminal.out(`${JSON.stringify({ files: names }, null, 2)}\n`);
    else {
      for (const name of names) terminal.out(`${path.relative(terminal.cwd, name)}\n`);
      terminal.out(`\nNext: waymark lint ${task}\n      waymark run ${task}\n`);
    }
    return EXIT.ok;
  },
});

/** The id and the URL are checked by the task's own validator. */
function problemOf(files: Record<string, unknown>): string | undefined {
  const [task] = Object.values(files);
  const parsed = parseTask(task);
  if (parsed.ok) return undefined;
  return parsed.problems.map(({ path: at, message }) => `${at.replace('$.', '')}: ${message}`).join(' ');
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_new', message, hint });
}
