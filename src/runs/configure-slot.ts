/** Applies what a task says of its browser to a slot that was prepared before. */
import path from 'node:path';
import type { LoadedTask } from '../cases/index.ts';
import { type Determinism, type NetworkPolicy, readRecording, type Slot } from '../chromium/index.ts';

/** `allowHosts`: hosts that blocked and replayed tasks may still reach. `seed`: of `Math.random()` in the pages. */
export async function configureSlot(
  slot: Slot,
  loaded: LoadedTask,
  allowHosts: readonly string[],
  seed?: number,
): Promise<void> {
  await slot.witness.configure({
    ...(loaded.task.network ? { network: policyOf(loaded, allowHosts) } : {}),
    ...determinismOf(loaded, seed),
  });
}

function determinismOf({ task }: LoadedTask, seed: number | undefined): { determinism?: Determinism } {
  const viewport = task.setup?.viewport;
  if (viewport === undefined && seed === undefined) return {};
  return { determinism: { ...(viewport ? { viewport } : {}), ...(seed === undefined ? {} : { seed }) } };
}

function policyOf({ task, folder }: LoadedTask, allowHosts: readonly string[]): NetworkPolicy {
  if (task.network?.mode === 'replay') {
    return { mode: 'replay', recording: readRecording(path.resolve(folder, task.network.recording)), allowHosts };
  }
  return task.network?.mode === 'blocked' ? { mode: 'blocked', allowHosts } : { mode: 'live' };
}
