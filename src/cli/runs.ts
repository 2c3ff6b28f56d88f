/** `waymark runs`: list, show, stop, resume, delete, export the runs of a server or of its data folder. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { counted, WaymarkError } from '../errors/index.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { type HarnessApi, harnessFlags, openHarnessApi } from './harness-api.ts';
import { count } from './number-flag.ts';
import { runDetailText, runLine } from './runs-text.ts';
import type { Terminal } from './terminal.ts';

const FORMATS = ['json', 'csv'] as const;
const DEFAULT_LIMIT = 50;

export const runsCommand = defineCommand({
  name: 'runs',
  about: [
    'the runs of a Waymark server: imported captures and runs on API models. Runs in folders have waymark report, verify and rescore.',
    'stop and resume also take a run that workers execute: what is under way is interrupted and does not count, and all that has not ended waits until the run is resumed.',
    'A run that is under way, or that a worker scores at the moment, is not deleted; one that only waits to be scored is. Deleting takes answers, grades, log and files with it; dataset, provider and pack stay.',
  ].join('\n'),
  operands: {
    label: 'list | show <id> | stop <id> | resume <id> | delete <id…> | export [<id>]',
    about: 'what to do; export without an id writes the list of runs, with one the run with its items and grades',
  },
  flags: {
    ...harnessFlags,
    search: {
      type: 'string',
      value: '<text>',
      about: 'list, export: part of a label, tag, model, dataset or provider, or the start of an id',
    },
    tag: { type: 'string', value: '<tag>', about: 'list, export: only runs with this tag' },
    limit: { type: 'string', value: '<number>', about: `list: how many at most, the newest first (${DEFAULT_LIMIT})` },
    format: { type: 'string', value: '<json|csv>', about: 'export: the format of the file (json)' },
    out: { type: 'string', value: '<file>', about: 'export: where to write it (standard output)' },
  },
  examples: [
    { line: 'waymark runs list --search nightly', does: 'the runs that have it in their label, tags or model' },
    { line: 'waymark runs show 0199f0c2-…', does: 'status, counts and accuracy of one run' },
    { line: 'waymark runs export 0199f0c2-… --format csv --out run.csv', does: 'a line per item, for a spreadsheet' },
    { line: 'waymark runs stop 0199f0c2-… --database env', does: 'a run that workers execute; resume lets it go on' },
    { line: 'waymark runs delete 0199f0c2-… --api http://127.0.0.1:7520', does: 'on a server that runs' },
  ],
  async run(flags, terminal, [what, ...ids]) {
    const action = what === undefined ? undefined : actions.get(what);
    if (!action) {
      throw usage(what === undefined ? 'Say what to do with runs.' : `waymark runs can't ${what}.`);
    }
    const { least, most } = action;
    if (ids.length < least || ids.length > most) throw usage(`waymark runs ${what} takes ${action.takes}.`);
    const settings = settingsOf(flags);
    await using api = await openHarnessApi(flags, terminal);
    const { json, text } = await action.act({ api, terminal, ids, ...settings });
    terminal.out(flags.json ? `${JSON.stringify(json)}\n` : text);
    return EXIT.ok;
  },
});

interface Settings {
  filter: { search?: string | undefined; tag?: string | undefined };
  limit: number;
  format: (typeof FORMATS)[number];
  out: string | undefined;
}

interface Work extends Settings {
  api: HarnessApi;
  terminal: Terminal;
  ids: readonly string[];
}

interface Action {
  least: number;
  most: number;
  /** The operands, in words. */
  takes: string;
  act: (work: Work) => Promise<{ json: unknown; text: string }>;
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['list', { least: 0, most: 0, takes: 'no id', act: listRuns }],
  ['show', { least: 1, most: 1, takes: 'the id of one run', act: showRun }],
  ['stop', { least: 1, most: 1, takes: 'the id of one run', act: stopRun }],
  ['resume', { least: 1, most: 1, takes: 'the id of one run', act: resumeRun }],
  ['delete', { least: 1, most: Number.POSITIVE_INFINITY, takes: 'the id of a run, or several', act: deleteRuns }],
  ['export', { least: 0, most: 1, takes: 'the id of one run, or none for the list', act: exportRuns }],
]);

async function listRuns({ api, filter, limit }: Work) {
  const json = await api.call('get', '/runs', { query: { ...filter, limit } });
  const more = json.total - json.runs.length;
  const text = json.runs.map(runLine).join('') || 'There are no such runs.\n';
  return { json, text: more > 0 ? `${text}${more} more: raise --limit, or narrow the list by --search.\n` : text };
}

async function showRun({ api, ids: [id = ''] }: Work) {
  const json = await api.call('get', '/runs/{id}', { params: { id } });
  return { json, text: runDetailText(json) };
}

async function stopRun({ api, ids: [id = ''] }: Work) {
  const json = await api.call('post', '/runs/{id}/cancel', { params: { id } });
  return { json, text: `run ${id} is stopped; to let it go on: waymark runs resume ${id}\n` };
}

async function resumeRun({ api, ids: [id = ''] }: Work) {
  const json = await api.call('post', '/runs/{id}/resume', { params: { id } });
  return { json, text: `run ${id} goes on: ${counted(json.items, 'item')} to do\n` };
}

/** One after the other: what comes after a refusal stays, and the error names the run. */
async function deleteRuns({ api, ids }: Work) {
  const deleted: string[] = [];
  for (const id of ids) {
    try {
      await api.call('delete', '/runs/{id}', { params: { id } });
    } catch (error) {
      if (!(error instanceof WaymarkError)) throw error;
      const before = deleted.length === 0 ? '' : ` Deleted before it: ${deleted.join(', ')}.`;
      throw new WaymarkError({
        code: error.code,
        message: `${id}: ${error.message}${before}`,
        ...(error.hint ? { hint: error.hint } : {}),
        cause: error,
      });
    }
    deleted.push(id);
  }
  return { json: { deleted }, text: deleted.map((id) => `deleted ${id}\n`).join('') };
}

async function exportRuns({ api, terminal, ids: [id], filter, format, out }: Work) {
  const content =
    id === undefined
      ? await api.text('/runs/export', { query: { ...filter, format } })
      : await api.text('/runs/{id}/export', { params: { id }, query: { format } });
  if (out === undefined) return { json: format === 'csv' ? { csv: content } : JSON.parse(content), text: content };
  const file = path.resolve(terminal.cwd, out);
  try {
    writeFileSync(file, content);
  } catch (cause) {
    throw new WaymarkError({ code: 'usage_bad_value', message: `${file} can't be written.`, cause });
  }
  return { json: { file }, text: `written to ${file}\n` };
}

interface Given {
  search?: string;
  tag?: string;
  limit?: string;
  format?: string;
  out?: string;
}

function settingsOf({ search, tag, limit, format = 'json', out }: Given): Settings {
  const wanted = FORMATS.find((one) => one === format);
  if (!wanted) {
    throw new WaymarkError({ code: 'usage_bad_value', message: `--format takes json or csv, but got "${format}".` });
  }
  return { filter: { search, tag }, limit: count(limit, 'limit', 500) ?? DEFAULT_LIMIT, format: wanted, out };
}

function usage(message: string): WaymarkError {
  return new WaymarkError({ code: 'usage_runs', message, hint: `One of: ${[...actions.keys()].join(', ')}.` });
}
