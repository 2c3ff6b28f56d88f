/** `waymark prune`: removes runs that are no longer needed. */
import path from 'node:path';
import { counted, WaymarkError } from '../errors/index.ts';
import { AGENT_OUTCOMES, FAULT_OUTCOMES, type OutcomeClass } from '../metrics/index.ts';
import { type Pruned, pruneFolders, References } from '../runs/local.ts';
import { runsFolder } from '../runs/tasks.ts';
import { defineCommand } from './command.ts';
import { EXIT } from './exit-code.ts';
import { wholeNumber } from './number-flag.ts';

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const CLASSES: readonly OutcomeClass[] = [...AGENT_OUTCOMES, ...FAULT_OUTCOMES];

export const pruneCommand = defineCommand({
  name: 'prune',
  about: [
    'removes runs that are no longer needed: folders, or with --database the runs of a server with their artifacts, events that are in journals, and suites that no run needs.',
    'A run goes where all that is said holds for it. A run that is being executed stays, and so does one that a comparison or a baseline names: by default, those in the working folder are looked at.',
  ].join('\n'),
  flags: {
    'older-than': { type: 'string', value: '<30d|12h|4w>', about: 'only runs that were made before so long' },
    keep: { type: 'string', value: '<n>', about: 'the newest n stay' },
    class: {
      type: 'string',
      value: '<class,…>',
      about: 'only runs whose episodes all ended as one of these outcome classes, such as passed',
    },
    'referenced-by': {
      type: 'string',
      isList: true,
      value: '<file|folder,…>',
      about:
        'comparisons and baselines (.json, .md, .html): runs that they name stay; default: those in the working folder',
    },
    runs: { type: 'string', value: '<folder>', about: 'the folder of runs; default .waymark/runs' },
    database: {
      type: 'string',
      value: '<postgres://…|env>',
      about: 'the runs of this PostgreSQL server instead of folders. env: take the URL from DATABASE_URL',
    },
    artifacts: { type: 'string', value: '<folder|s3://…>', about: 'with --database: where their files are' },
    'dry-run': { type: 'boolean', about: 'only say what would be removed' },
    json: { type: 'boolean', about: 'print one JSON object and nothing else' },
  },
  examples: [
    { line: 'waymark prune --older-than 30d --dry-run', does: 'what is older than 30 days' },
    { line: 'waymark prune --keep 20 --class passed', does: 'runs in which all passed, but for the newest 20 runs' },
    {
      line: 'waymark prune --older-than 90d --database env --artifacts s3://team/waymark',
      does: 'old runs of a shared database, with their pictures',
    },
  ],
  async run(flags, terminal, _operands) {
    const { cwd } = terminal;
    const olderThanMs = ageOf(flags['older-than']);
    const keep = wholeNumber(flags.keep, 'keep');
    if (olderThanMs === undefined && keep === undefined)
      throw usage('Say which runs may go: --older-than <age>, --keep <n>, or both.');
    const places = flags['referenced-by']?.split(',').map((place) => path.resolve(cwd, place)) ?? [cwd];
    const classes = flags.class?.split(',').map(classOf);
    const isTrial = flags['dry-run'] === true;
    const choices = { olderThanMs, keep, isTrial, references: new References(places), now: Date.now() };
    const pruned =
      flags.database === undefined
        ? await pruneFolders(path.resolve(cwd, flags.runs ?? runsFolder(cwd)), { ...choices, classes })
        : await pruneServer(flags, { ...choices, classes }, terminal);
    terminal.out(flags.json ? `${JSON.stringify({ isTrial, ...pruned })}\n` : text(pruned, isTrial));
    return EXIT.ok;
  },
});

type Choices = Parameters<typeof pruneFolders>[1];

async function pruneServer(
  flags: { database?: string; artifacts?: string },
  choices: Choices,
  terminal: Parameters<typeof import('./store-flags.ts')['storePlaces']>[1],
): Promise<Pruned> {
  const { storePlaces } = await import('./store-flags.ts');
  const { openArtifacts, openStore } = await import('../store/index.ts');
  const { pruneDatabase } = await import('../runs/index.ts');
  const places = storePlaces(flags, terminal);
  await using store = await openStore(places.store);
  return await pruneDatabase({ store, artifacts: await openArtifacts(places.artifacts) }, choices);
}

function text({ removed, kept, ...more }: Pruned, isTrial: boolean): string {
  const lines = [
    ...removed.map((runId) => `${isTrial ? 'would remove' : 'removed'} ${runId}`),
    ...kept.map(({ runId, why }) => `kept ${runId}: ${why}`),
    `${counted(removed.length, 'run')} ${isTrial ? 'would be removed' : 'removed'}`,
    ...Object.entries(more).map(([name, count]) => `${name}: ${String(count)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function ageOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const [, amount = '', unit = ''] = /^(\d+)([hdw])$/.exec(given) ?? [];
  const ms = UNITS_MS[unit];
  if (ms === undefined) throw usage(`--older-than takes an age such as 12h, 30d or 4w, but got "${given}".`);
  return Number(amount) * ms;
}

function classOf(name: string): OutcomeClass {
  const known = CLASSES.find((one) => one === name);
  if (known !== undefined) return known;
  throw usage(`--class takes outcome classes, but got "${name}". There are: ${CLASSES.join(', ')}.`);
}

function usage(message: string): WaymarkError {
  return new WaymarkError({ code: 'usage_bad_value', message: `${message} Nothing was removed.` });
}
