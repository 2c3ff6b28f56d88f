/**
 * How another process asks the one that writes a run to stop it, to stop one of its attempts, or to try cells once more: by files in the
 * run's folder, which no signal to a wrong process can replace.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { WaymarkError } from '../../errors/index.ts';
import type { AttemptRef, Cell } from '../../events/index.ts';
import { putJson } from '../../journal/index.ts';
import { cellKey } from '../cell-key.ts';
import type { Steering } from '../execution.ts';

const STOP_FILE = 'stop.request';
const LOOK_MS = 300;

/** Files of this kind are no part of the run. */
export function isRequestFile(name: string): boolean {
  return name.endsWith('.request') || name.endsWith('.request.new');
}

const cellSchema = z.object({ caseId: z.string(), trial: z.int().min(1) });
const requestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('stop_attempt'), ...cellSchema.shape, attempt: z.int().min(1), by: z.string().max(200) }),
  z.object({ ask: z.literal('retry'), cells: z.array(cellSchema) }),
]);

export function requestStop(root: string): void {
  writeFileSync(path.join(root, STOP_FILE), '');
}

/** `by`: who asks, for the journal, such as "the web app". */
export function requestAttemptStop(root: string, { caseId, trial, attempt }: AttemptRef, by: string): void {
  put(root, { ask: 'stop_attempt', caseId, trial, attempt, by });
}

/** Cells that have not ended are left as they are. */
export function requestRetry(root: string, cells: readonly Cell[]): void {
  put(root, { ask: 'retry', cells: cells.map(({ caseId, trial }) => ({ caseId, trial })) });
}

function put(root: string, request: z.infer<typeof requestSchema>): void {
  putJson(path.join(root, `${randomUUID()}.request`), request);
}

export interface RunRequests extends Disposable, Steering {
  /** Aborted when the run is to be stopped. */
  readonly signal: AbortSignal;
}

/** A request from before is no request to this process. */
export function watchRunRequests(root: string): RunRequests {
  removeRequests(root);
  const whole = new AbortController();
  const running = new Map<string, AbortController>();
  let retries: Cell[] = [];
  const look = (): void => {
    for (const file of requestsIn(root)) {
      if (path.basename(file) === STOP_FILE) {
        whole.abort();
        continue;
      }
      const request = take(file);
      if (request?.ask === 'retry') retries.push(...request.cells);
      if (request?.ask === 'stop_attempt') running.get(keyOf(request))?.abort(stoppedBy(request.by));
    }
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    signal: whole.signal,
    watch: (attempt) => {
      const controller = new AbortController();
      running.set(keyOf(attempt), controller);
      return { signal: controller.signal, [Symbol.dispose]: () => void running.delete(keyOf(attempt)) };
    },
    takeRetries: () => {
      look();
      const taken = retries;
      retries = [];
      return taken;
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      removeRequests(root);
    },
  };
}

function stoppedBy(who: string): WaymarkError {
  return new WaymarkError({ code: 'attempt_stopped', message: `This attempt was stopped from ${who}.` });
}

function keyOf(attempt: Omit<AttemptRef, 'runId'>): string {
  return `${attempt.attempt} ${cellKey(attempt)}`;
}

function requestsIn(root: string): string[] {
  const names = existsSync(root) ? readdirSync(root) : [];
  return names.filter((name) => name.endsWith('.request')).map((name) => path.join(root, name));
}

function removeRequests(root: string): void {
  for (const file of requestsIn(root)) rmSync(file, { force: true });
}

/** Undefined where it is none: whatever put it there, it must not end the run. */
function take(file: string): z.infer<typeof requestSchema> | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    rmSync(file, { force: true });
    return requestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
