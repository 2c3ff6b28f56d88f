/** The ways in which a file of a recorded run is changed. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Line, tamper } from '../command-line.ts';

export const FORM = 'episodes/send-form/trial-1';
export const DIALOG = 'episodes/confirm-dialog/trial-1';

/** Gives the run's folder to what changes it. */
export type Change = (root: string) => void;

export const edit =
  (file: string, change: (text: string) => string): Change =>
  (root) => {
    const at = path.join(root, file.replace('<run-id>', runIdOf(root)));
    const before = readFileSync(at, 'utf8');
    const after = change(before);
    if (after === before) throw new Error(`${file} was not changed.`);
    writeFileSync(at, after);
  };
export const event =
  (type: string, change: (event: Line) => object, fits: (event: Line) => boolean = () => true, folder = FORM): Change =>
  (root) => {
    tamper(
      path.join(root, folder, 'events.jsonl'),
      (one) => one.type === type && fits(one),
      (one) => ({ ...one, ...change(one) }),
    );
  };
export const lines = (change: (events: Line[]) => Line[], folder = FORM): Change =>
  edit(`${folder}/events.jsonl`, (text) =>
    change(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    )
      .map((one, seq) => `${JSON.stringify({ ...one, seq })}\n`)
      .join(''),
  );
export const remove =
  (file: string): Change =>
  (root) =>
    rmSync(path.join(root, file), { recursive: true });

/** By name. `rebuilt`: found also after `waymark report`. */
export type Way = readonly [name: string, change: Change, rebuilt: boolean];

function runIdOf(root: string): string {
  return (JSON.parse(readFileSync(path.join(root, 'run.json'), 'utf8')) as { plan: { runId: string } }).plan.runId;
}
