/** `waymark new task <id>`: creates the files of a task. They run unchanged, without internet, and pass `waymark lint`. */
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
    'creates a task: <id>.task.json and <id>.transcript.json; without --url also <id>.recording.json, a small page to try it on.',
    'Existing files are never overwritten. Exit code: 0 written, 2 wrong usage or a file already exists.',
  ].join('\n'),
  operands: { label: 'task <id>', about: 'the task’s id: lower-case letters, digits, ".", "_" and "-"' },
  flags: {
    url: { type: 'string', value: '<url>', about: 'where the task starts; default: a small recorded page' },
    out: { type: 'string', value: '<folder>', about: 'where the files go; default: the current folder' },
    json: { type: 'boolean', about: 'print the files as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark new task first-task', does: 'a task that runs unchanged: waymark run first-task.task.json' },
    {
      line: 'waymark new task find-docs --url https://example.com/ --out tasks',
      does: 'a task for a site, with fields to fill in',
    },
  ],
  async run(flags, terminal, [kind, id, ...more]) {
    if (kind !== 'task' || id === undefined || more.length > 0) {
      throw usage('Give the kind "task" and one id.', 'For example: waymark new task first-task');
    }
    const files = scaffold(id, flags.url);
    const problem = problemOf(files);
    if (problem !== undefined)
      throw usage(problem, 'For example: waymark new task first-task --url https://example.com/');
    const folder = path.resolve(terminal.cwd, flags.out ?? '.');
    const written = Object.entries(files).map(([name, content]) => ({ file: path.join(folder, name), content }));
    const there = written.find(({ file }) => existsSync(file));
    if (there) throw usage(`${there.file} already exists.`, 'Choose another id, or another folder with --out.');
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

/** The task schema checks the id and the URL. */
function problemOf(files: Record<string, unknown>): string | undefined {
  const [task] = Object.values(files);
  const parsed = parseTask(task);
  if (parsed.ok) return undefined;
  return parsed.problems.map(({ path: at, message }) => `${at.replace('$.', '')}: ${message}`).join(' ');
}

function usage(message: string, hint: string): WaymarkError {
  return new WaymarkError({ code: 'usage_new', message, hint });
}
