/** `waymark datasets`: list, import, export. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import type { Answer } from '../server/client.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { type HarnessApi, harnessFlags, openHarnessApi, readOperand } from './harness-api.ts';
import type { Terminal } from './terminal.ts';

export const datasetsCommand = defineCommand({
  name: 'datasets',
  about: 'the datasets of the Browser Harness. A file is imported whole or not at all, with a report by line.',
  operands: {
    label: 'list | import <file> | export <id>',
    about: 'what to do; files are JSONL or a *.eval752.zip bundle',
  },
  flags: {
    ...harnessFlags,
    name: { type: 'string', value: '<name>', about: 'import: what the dataset is called' },
    out: { type: 'string', value: '<file>', about: 'export: where to write the JSONL (standard output)' },
  },
  renamed: { server: 'api' },
  examples: [
    { line: 'waymark datasets list', does: 'what is there' },
    { line: 'waymark datasets import questions.jsonl --name Questions', does: 'make a dataset of a file' },
    { line: 'waymark datasets export 6b0c… --out questions.jsonl', does: 'and back, answers included' },
  ],
  async run(flags, terminal, [what, ...rest]) {
    const act = what === undefined ? undefined : actions.get(what);
    if (!act) {
      throw new WaymarkError({
        code: 'usage_datasets',
        message: what === undefined ? 'Say what to do with datasets.' : `waymark datasets can't ${what}.`,
        hint: `One of: ${[...actions.keys()].join(', ')}.`,
      });
    }
    const file = new Blob(what === 'import' ? [readOperand(rest, 'the dataset', terminal)] : []);
    await using api = await openHarnessApi(flags, terminal);
    const { json, text } = await act({ api, terminal, flags, file, id: rest[0] ?? '' });
    terminal.out(flags.json ? `${JSON.stringify(json)}\n` : text);
    return EXIT.ok;
  },
});

interface Action {
  api: HarnessApi;
  terminal: Terminal;
  flags: { name?: string; out?: string };
  /** For an import. */
  file: Blob;
  id: string;
}

type Dataset = Answer<'get', '/datasets'>['datasets'][number];
const lineOf = ({ id, name, item_count }: Dataset) => `${id}  ${name} (${item_count} items)\n`;

const actions = new Map<string, (action: Action) => Promise<{ json: unknown; text: string }>>([
  [
    'list',
    async ({ api }) => {
      const json = await api.call('get', '/datasets', { query: { limit: 500 } });
      return { json, text: json.datasets.map(lineOf).join('') || 'There are no datasets yet.\n' };
    },
  ],
  [
    'import',
    async ({ api, flags, file }) => {
      const json = await api.call('post', '/datasets/import', { query: { name: flags.name }, file });
      return { json, text: lineOf(json.dataset) };
    },
  ],
  [
    'export',
    async ({ api, terminal, flags, id }) => {
      const jsonl = await api.text('/datasets/{id}/export', { params: { id } });
      if (flags.out === undefined) return { json: { jsonl }, text: jsonl };
      const file = path.resolve(terminal.cwd, flags.out);
      writeFileSync(file, jsonl);
      return { json: { file }, text: `written to ${file}\n` };
    },
  ],
]);
