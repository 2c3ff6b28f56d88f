/** `run.json` as version 0.1.0 wrote it: a list of folders. It is read as the plan that it stands for. */
import { z } from 'zod';
import { type Cell, type RunPlan, runInputsSchema } from '../../events/index.ts';

const plannedEpisode = z.strictObject({
  folder: z.string(),
  oracleSteps: z.number().int().optional(),
  earlier: z.array(z.string()).optional(),
  /** Why it could not be begun. */
  failed: z.string().optional(),
  pending: z.literal(true).optional(),
});

export const oldRunFileSchema = z.strictObject({
  format: z.literal('waymark.run.v1'),
  runId: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  inputs: runInputsSchema.optional(),
  episodes: z.array(plannedEpisode),
});
type OldRunFile = z.infer<typeof oldRunFileSchema>;

/** Settings of a run that have another name now. */
const RENAMED: Readonly<Record<string, string>> = { 'open-gates': 'allow-guarded' };

export function runFileOfOld({ runId, startedAt, endedAt, inputs, episodes }: OldRunFile): {
  plan: RunPlan;
  endedAt: string | undefined;
  isOld: true;
  notBegun: ReadonlyMap<string, string>;
} {
  const cells = episodes.map(({ folder }) => cellAt(folder));
  const of = Object.fromEntries(
    Object.entries(inputs?.of ?? {}).map(([name, value]) => [RENAMED[name] ?? name, value]),
  );
  const oracleSteps = Object.fromEntries(
    episodes.flatMap(({ folder, oracleSteps: steps }) => (steps === undefined ? [] : [[cellAt(folder).caseId, steps]])),
  );
  const plan: RunPlan = {
    runId,
    suite: { name: '', hash: '' },
    variant: {
      kind: 'agent',
      agent: { kind: String(of['agent'] ?? 'scripted') },
      server: { name: String(of['server'] ?? '') },
    },
    trials: Math.max(1, ...cells.map(({ trial }) => trial)),
    cells,
    inputs: { hash: inputs?.hash ?? '', of },
    ...(Object.keys(oracleSteps).length > 0 ? { oracleSteps } : {}),
    createdAt: Date.parse(startedAt),
  };
  const notBegun = episodes.flatMap(({ folder, failed }) =>
    failed === undefined || !isAttemptFolder(folder) ? [] : [[folder, failed] as const],
  );
  return { plan, endedAt, isOld: true, notBegun: new Map(notBegun) };
}

/** Something is written there when the run is resumed: it must be inside the run. */
function isAttemptFolder(folder: string): boolean {
  return /^episodes[\\/][^\\/]+[\\/][^\\/]+$/.test(folder) && !folder.split(/[\\/]/).includes('..');
}

/** `episodes/<task>/trial-<n>[-attempt-<m>]`. */
function cellAt(folder: string): Cell {
  const [, caseId = folder, trial = '1'] = /^episodes[\\/](.+)[\\/]trial-(\d+)(?:-attempt-\d+)?$/.exec(folder) ?? [];
  return { caseId, trial: Number(trial) };
}
