/** One line per run folder. What a run came to is read from the beginning of its report, which has its numbers first. */
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type RunFile, readRunFile } from '../folder/run-file.ts';
import { isLocked } from '../folder/run-lock.ts';
import type { RunFolders } from './run-folders.ts';

export interface ListedFolder {
  id: string;
  suite: string;
  /** The agent and its server, or the model. */
  variant: string;
  experiment: string | null;
  startedAt: string;
  endedAt: string | null;
  /** A process writes it; it has ended; or it was stopped or killed before its end. */
  state: 'running' | 'ended' | 'stopped';
  planned: number;
  /** Null while there is no report. */
  passed: number | null;
  kind: 'tasks' | 'questions';
}

export function listRunFolders(folders: RunFolders, limit: number): ListedFolder[] {
  return folders
    .roots()
    .slice(0, limit)
    .flatMap((root) => {
      const id = folders.idOf(root);
      return id === undefined ? [] : [listed(root, id)];
    });
}

function listed(root: string, id: string): ListedFolder {
  const { plan, endedAt } = readRunFile(root);
  const { variant } = plan;
  return {
    id,
    suite: plan.suite.name,
    variant: variantText(variant),
    experiment: plan.experiment ?? null,
    startedAt: new Date(plan.createdAt).toISOString(),
    endedAt: endedAt ?? null,
    state: isLocked(root) ? 'running' : endedAt === undefined ? 'stopped' : 'ended',
    planned: plan.cells.length,
    passed: passedIn(path.join(root, 'report.json')),
    kind: variant.kind === 'agent' ? 'tasks' : 'questions',
  };
}

function variantText(variant: RunFile['plan']['variant']): string {
  if (variant.kind === 'agent') return `${variant.agent.name ?? variant.agent.kind} on ${variant.server.name}`;
  return variant.kind === 'model' ? variant.model : variant.displayName;
}

const HEAD_BYTES = 16 * 1024;
const passedSchema = z.coerce.number().int().min(0);

/** The summary stands before the list of episodes. */
function passedIn(file: string): number | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    // There is no report yet.
    return null;
  }
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, HEAD_BYTES, 0));
    const [, passed] = /"summary": \{[\s\S]*?"passed": (\d+)/.exec(text) ?? [];
    return passedSchema.safeParse(passed).data ?? null;
  } finally {
    closeSync(fd);
  }
}
