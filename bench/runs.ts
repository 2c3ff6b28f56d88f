/**
 * `npm run bench:runs [-- --sizes 1000,2000,5000,10000] [--commands report,index] [--json]`: what reports, the index, rescoring and grading cost as a run grows. Each size is a run folder of short browser
 * episodes with one picture's worth of evidence; each command is a process of its own, so that its memory is its own. Fails where a command reads
 * a journal more than once, where the time per attempt grows, where the memory does, or where report.html takes 2 s to open in a browser.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { attemptPath } from '../src/runs/index.ts';
import { makeRun } from './make-run.ts';
import type { Measured } from './runs-command.ts';
import { type OpenedPage, openPage } from './runs-page.ts';

const COMMANDS = ['report', 'index', 'rescore', 'grade', 'grade-again'] as const;
/** How often a command may read a journal. To grade, the first event is read before: an unknown grader is an error before anything is graded. */
const READS: Readonly<Record<(typeof COMMANDS)[number], number>> = {
  report: 1,
  index: 0,
  rescore: 1,
  grade: 2,
  'grade-again': 2,
};
/** Of the smallest run, per attempt: caches and clocks are shared with whatever else the machine does. */
const SLOWER = 1.6;
/** Of the smallest run: Node's heap grows until it is cleaned, whatever is in it. */
const MORE_MEMORY = 1.6;
/** Of an attempt: its cell in the plan, where it is, and what statistics need of it. No journal is held. */
const KIB_PER_ATTEMPT = 2;
const OPENS_WITHIN_MS = 2_000;

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,2000,5000,10000' },
    commands: { type: 'string', default: COMMANDS.join(',') },
    json: { type: 'boolean', default: false },
  },
});
const chosen = COMMANDS.filter((command) => values.commands.split(',').includes(command));
const sizes = values.sizes.split(',').map(Number);
const rows: (Measured & { command: (typeof COMMANDS)[number]; attempts: number })[] = [];
const pages: (OpenedPage & { attempts: number; megabytes: number })[] = [];
for (const attempts of sizes) {
  const root = mkdtempSync(path.join(tmpdir(), 'waymark-bench-runs-'));
  try {
    await makeRun(root, attempts);
    for (const command of chosen) {
      const before = command === 'grade-again' ? gradesOf(root, attempts) : undefined;
      const row = { command, attempts, ...measure(command, root) };
      if (before !== undefined && before !== gradesOf(root, attempts))
        throw new Error('Grading again has changed the grades.');
      rows.push(row);
      process.stderr.write(
        `${command} of ${attempts} attempts: ${Math.round(row.cpuMs)} ms of the processor, ${Math.round(row.peakMiB)} MiB\n`,
      );
    }
    if (!chosen.includes('report')) continue;
    const file = path.join(root, 'report.html');
    const page = { attempts, megabytes: statSync(file).size / 1e6, ...(await openPage(file)) };
    pages.push(page);
    process.stderr.write(`report.html of ${attempts} attempts opens in ${Math.round(page.ms)} ms\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

if (values.json) console.log(JSON.stringify({ commands: rows, pages }, null, 2));
else {
  console.log(
    '| command | attempts | reads of a journal | looks at its last line | processor ms an attempt | ms an attempt | peak memory |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const { command, attempts, reads, tails, cpuMs, ms, peakMiB } of rows)
    console.log(
      `| ${command} | ${attempts} | ${reads} | ${tails} | ${(cpuMs / attempts).toFixed(2)} | ${(ms / attempts).toFixed(2)} | ${peakMiB.toFixed(0)} MiB |`,
    );
  console.log('\n| report.html of | MB | elements | opens in |\n|---|---|---|---|');
  for (const { attempts, megabytes, elements, ms } of pages)
    console.log(`| ${attempts} attempts | ${megabytes.toFixed(1)} | ${elements} | ${Math.round(ms)} ms |`);
}
const problems = [
  ...chosen.flatMap((command) => problemsOf(rows.filter((row) => row.command === command))),
  ...pages.flatMap(({ attempts, ms }) =>
    ms > OPENS_WITHIN_MS ? [`report.html of ${attempts}: it takes ${Math.round(ms)} ms to open`] : [],
  ),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOf(measured: typeof rows): string[] {
  const [first] = measured;
  if (!first) return [];
  return measured.flatMap(({ command, attempts, reads, cpuMs, peakMiB }) => [
    ...(reads > READS[command] ? [`${command} of ${attempts}: a journal was read ${reads} times`] : []),
    ...(cpuMs / attempts > (first.cpuMs / first.attempts) * SLOWER ? [`${command} of ${attempts}: not linear`] : []),
    ...(peakMiB > first.peakMiB * MORE_MEMORY + (attempts * KIB_PER_ATTEMPT) / 1024
      ? [`${command} of ${attempts}: memory grows`]
      : []),
  ]);
}

/** Of all attempts, as one hash. */
function gradesOf(root: string, attempts: number): string {
  const hash = createHash('sha256');
  for (let index = 1; index <= attempts; index++)
    hash.update(
      readFileSync(path.join(root, attemptPath({ caseId: `case-${index}`, trial: 1, attempt: 1 }), 'grades.jsonl')),
    );
  return hash.digest('hex');
}

function measure(command: string, root: string): Measured {
  const script = path.join(import.meta.dirname, 'runs-command.ts');
  return JSON.parse(execFileSync(process.execPath, [script, command, root], { encoding: 'utf8' })) as Measured;
}
