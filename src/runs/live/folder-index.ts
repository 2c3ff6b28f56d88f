/** What lists show of each run folder. A folder is read again only when its plan, its end or its report has changed. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { WaymarkError } from '../../errors/index.ts';
import type { Variant } from '../../events/index.ts';
import { readRunFile } from '../folder/run-file.ts';
import { isExecuted } from '../folder/run-lock.ts';
import { variantModel, variantText } from '../variant-text.ts';
import { type ReportCounts, reportCounts } from './report-counts.ts';

export interface IndexedFolder {
  root: string;
  id: string;
  suite: string;
  suiteHash: string;
  kind: Variant['kind'];
  /** The agent and its server, or the model. */
  variant: string;
  model: string | null;
  experiment: string | null;
  startedAt: string;
  endedAt: string | null;
  /** A process writes it; it has ended; or it was killed before its end. */
  state: 'running' | 'ended' | 'stopped';
  planned: number;
  /** Absent while there is no report. */
  counts?: ReportCounts;
}

interface Known {
  stamp: string;
  /** Undefined where the plan can't be read (yet). */
  entry: Omit<IndexedFolder, 'state'> | undefined;
}

export class FolderIndex {
  readonly #roots: () => string[];
  #known = new Map<string, Known>();

  constructor(roots: () => string[]) {
    this.#roots = roots;
  }

  /** As they are now, in the order of `roots`. */
  entries(): IndexedFolder[] {
    const before = this.#known;
    this.#known = new Map();
    return this.#roots().flatMap((root) => {
      const stamp = stampOf(root);
      const known = before.get(root);
      const now = known?.stamp === stamp ? known : { stamp, entry: read(root) };
      this.#known.set(root, now);
      return now.entry ? [{ ...now.entry, state: stateOf(now.entry) }] : [];
    });
  }
}

function stateOf({ root, endedAt }: Omit<IndexedFolder, 'state'>): IndexedFolder['state'] {
  if (isExecuted(root)) return 'running';
  return endedAt === null ? 'stopped' : 'ended';
}

function stampOf(root: string): string {
  return ['run.json', 'cells.jsonl', 'report.json']
    .map((name) => {
      const found = statSync(path.join(root, name), { throwIfNoEntry: false });
      return found ? `${found.size} ${found.mtimeMs}` : '-';
    })
    .join(' ');
}

function read(root: string): Known['entry'] {
  try {
    const { plan, endedAt } = readRunFile(root);
    const counts = reportCounts(path.join(root, 'report.json'));
    return {
      root,
      id: plan.runId,
      suite: plan.suite.name,
      suiteHash: plan.suite.hash,
      kind: plan.variant.kind,
      variant: variantText(plan.variant),
      model: variantModel(plan.variant),
      experiment: plan.experiment ?? null,
      startedAt: new Date(plan.createdAt).toISOString(),
      endedAt: endedAt ?? null,
      planned: plan.cells.length,
      ...(counts ? { counts } : {}),
    };
  } catch (error) {
    if (error instanceof WaymarkError) return undefined;
    throw error;
  }
}
