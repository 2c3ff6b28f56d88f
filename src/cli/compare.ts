/** `waymark compare`: runs side by side, with a verdict. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../errors/index.ts';
import {
  type ComparedRuns,
  compareRunFolders,
  comparisonPage,
  failedChecksFolder,
  markdownComparison,
  writeBaseline,
} from '../runs/local.ts';
import { defineCommand, type FlagValues } from './command.ts';
import { comparisonText } from './compare-text.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

const flags = {
  baseline: {
    type: 'string',
    value: '<file>',
    about: 'compare with this baseline file; every run that is given is then compared with it',
  },
  'save-baseline': {
    type: 'string',
    value: '<file>',
    about: 'write the last run that is given as a baseline file; one run is enough then',
  },
  'fail-on-regression': {
    type: 'boolean',
    about: 'exit code 1 where a run is worse over all cases, or in a tag or a case of its own',
  },
  strict: {
    type: 'boolean',
    about: 'count faults of harness, server and browser as not passed, in place of leaving them out',
  },
  html: { type: 'string', value: '<file>', about: 'also write one HTML file, with both screenshots where runs part' },
  markdown: { type: 'string', value: '<file>', about: 'also write Markdown, e.g. for a pull request' },
  json: { type: 'boolean', about: 'print everything as JSON and nothing else' },
} as const;
type Flags = FlagValues<typeof flags>;

export const compareCommand = defineCommand({
  name: 'compare',
  about: [
    'compares runs by case and trial: better, worse, or not enough evidence, and how many more trials would settle it.',
    'The first run, or the file of --baseline, is what the others are compared with. Shows what differs between the variants, the interval of the difference, the exact tests, the A/A noise, tags, cases, outcomes, and where two trajectories part. Says whether the result may be a headline, with the reasons against it.',
    'Exit code: 0 compared, 1 a regression (with --fail-on-regression) or nothing that can be compared, 2 no run or runs that have no case in common, 3 a journal is damaged or a file can’t be written.',
  ].join('\n'),
  operands: { label: '<runs…>', about: 'folders of runs, as `waymark run` made them, or baseline files' },
  flags,
  examples: [
    { line: 'waymark compare .waymark/runs/<before> .waymark/runs/<after>', does: 'is the second one better?' },
    {
      line: 'waymark compare runs/embedded runs/playwright runs/devtools --html compare.html',
      does: 'two servers against a third, as a page',
    },
    { line: 'waymark compare runs/main --save-baseline main.json', does: 'keep a run as a small file' },
    {
      line: 'waymark compare runs/branch --baseline main.json --fail-on-regression',
      does: 'in CI: fail where the branch is worse',
    },
  ],
  async run(given, terminal, operands) {
    const places = placesOf(given, terminal, operands);
    const compared = await compareRunFolders(places, {
      counting: given.strict ? 'strict' : 'valid',
      checks: failedChecksFolder(terminal.cwd),
    });
    const written = writeFiles(given, terminal, compared);
    if (given.json) terminal.out(`${JSON.stringify(jsonOf(compared), null, 2)}\n`);
    else {
      for (const comparison of compared.comparisons) terminal.out(`${comparisonText(comparison, terminal)}\n`);
      for (const line of written) terminal.out(`${line}\n`);
    }
    return exitCode(given, compared);
  },
});

function placesOf(given: Flags, { cwd }: Terminal, operands: readonly string[]): string[] {
  const isAlone = operands.length === 1 && given.baseline === undefined;
  if (operands.length === 0 || (isAlone && given['save-baseline'] === undefined)) {
    throw new WaymarkError({
      code: 'usage_compare',
      message: operands.length === 0 ? 'Give the runs to compare.' : 'Give a second run, or a baseline.',
      hint: 'For example: waymark compare .waymark/runs/<before> .waymark/runs/<after>',
    });
  }
  const places = given.baseline === undefined ? operands : [given.baseline, ...operands];
  return places.map((place) => path.resolve(cwd, place));
}

/** The names of what was written. */
function writeFiles(given: Flags, { cwd }: Terminal, compared: ComparedRuns): string[] {
  const written: string[] = [];
  const baseline = given['save-baseline'];
  const last = compared.samples.at(-1);
  if (baseline !== undefined && last) {
    writeBaseline(path.resolve(cwd, baseline), last);
    written.push(`baseline: ${baseline}`);
  }
  if (given.html !== undefined) {
    writeFileSync(path.resolve(cwd, given.html), comparisonPage(compared));
    written.push(`page: ${given.html}`);
  }
  if (given.markdown !== undefined) {
    writeFileSync(path.resolve(cwd, given.markdown), markdownComparison(compared));
    written.push(`markdown: ${given.markdown}`);
  }
  return written;
}

function jsonOf({ samples, comparisons }: ComparedRuns): unknown {
  const runs = samples.map(({ runId, name, kind, startedAt, suite }) => ({ runId, name, kind, startedAt, suite }));
  return { format: 'waymark.comparison.v1', runs, comparisons };
}

function exitCode(given: Flags, { comparisons }: ComparedRuns): ExitCode {
  const isWorse = comparisons.some(({ regressions }) => regressions.length > 0);
  const isEmpty = comparisons.some(({ overall }) => overall.pairs === 0);
  return isEmpty || (isWorse && given['fail-on-regression']) ? EXIT.checkFailed : EXIT.ok;
}
