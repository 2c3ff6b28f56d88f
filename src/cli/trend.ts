/** `waymark trend`: pass rates over time. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import { type TrendRow, trendOf } from '../metrics/index.ts';
import { readSamples, runsIn, trendPage } from '../runs/local.ts';
import { trendTable } from '../view/index.ts';
import { aligned } from './aligned.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { printable } from './printable.ts';

export const trendCommand = defineCommand({
  name: 'trend',
  about: [
    'shows the pass rates of runs over time, oldest first, each with its intervals.',
    'A folder that holds runs stands for all of them. Runs of another suite than the newest one’s are marked: their rates are not comparable.',
    'Exit code: 0 shown, 2 no run, 3 a journal is damaged or the file can’t be written.',
  ].join('\n'),
  operands: { label: '<runs…>', about: 'folders of runs, folders that hold runs, or baseline files' },
  flags: {
    html: { type: 'string', value: '<file>', about: 'also write one HTML file with a chart' },
    json: { type: 'boolean', about: 'print the rows as JSON and nothing else' },
  },
  examples: [
    { line: 'waymark trend .waymark/runs', does: 'all runs of a folder' },
    { line: 'waymark trend main.json runs/monday runs/tuesday --html trend.html', does: 'some of them, as a page' },
  ],
  async run(given, { out, cwd }, operands) {
    if (operands.length === 0) {
      throw new WaymarkError({
        code: 'usage_compare',
        message: 'Give runs, or a folder that holds runs.',
        hint: 'For example: waymark trend .waymark/runs',
      });
    }
    const read = await readSamples(operands.flatMap((place) => runsIn(path.resolve(cwd, place))));
    const rows = trendOf(read.map(({ sample }) => sample));
    if (given.html !== undefined) writeFileSync(path.resolve(cwd, given.html), trendPage(rows));
    out(given.json ? `${JSON.stringify({ format: 'waymark.trend.v1', rows }, null, 2)}\n` : textOf(rows, given.html));
    return EXIT.ok;
  },
});

function textOf(rows: readonly TrendRow[], page: string | undefined): string {
  const { columns, rows: cells, note } = trendTable(rows);
  const lines = [...aligned([columns, ...cells]), ...(note === undefined ? [] : [note])];
  return `${[...lines, ...(page === undefined ? [] : [`page: ${page}`])].map(printable).join('\n')}\n`;
}
