/**
 * A worker that is to be killed: `node write-attempts.ts <module> <json> <run-id> [<stall-at>]`. The module opens the store; the worker claims
 * one cell after the other, and says what is acknowledged. With `stall-at`, it waits in the middle of that attempt.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { RunStore } from '../../src/runs/index.ts';
import { note, STOP, startOf } from './attempts.ts';

const [module = '', json = '', runId = '', stallAt = '0'] = process.argv.slice(2);
const { openStore }: { openStore(options: unknown): Promise<RunStore> } = await import(module);
const store = await openStore(JSON.parse(json));
const say = (what: string, about: unknown): boolean => process.stdout.write(`${JSON.stringify({ what, about })}\n`);

for (let made = 1; ; made++) {
  const [claim] = await store.claim(runId, 'child', 1);
  if (!claim) break;
  const writer = await store.open(claim);
  writer.append(startOf(claim.attempt));
  writer.append(note('one'));
  await writer.flush();
  say('begun', claim.attempt);
  if (made === Number(stallAt)) {
    say('stalled', claim.attempt);
    await wait(60_000);
  }
  writer.append(note('two'));
  writer.append(STOP);
  await writer.finish();
  say('finished', claim.attempt);
}
say('done', null);
