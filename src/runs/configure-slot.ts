/** Applies what a task says of its browser to a slot that was prepared before. */
import path from 'node:path';
import type { LoadedTask } from '../cases/index.ts';
import { type Determinism, type NetworkPolicy, readRecording, type Slot } from '../chromium/index.ts';

export interface SlotSettings {
  /** Hosts that blocked and replayed tasks may still reach. */
  allowHosts: readonly string[];
  /** Of Math.random() in the pages, where the attempt has one. */
  seed: number | undefined;
}

/** Returns what was fixed in the pages; undefined where nothing was. */
export async function configureSlot(
  slot: Slot,
  loaded: LoadedTask,
  { allowHosts, seed }: SlotSettings,
): Promise<Determinism | undefined> {
  const determinism = determinismOf(loaded, seed);
  await slot.witness.configure({
    network: policyOf(loaded, allowHosts),
    ...(determinism ? { determinism } : {}),
  });
  return determinism;
}

/** The seed of the attempt is used instead of the task's. */
function determinismOf({ task }: LoadedTask, seed: number | undefined): Determinism | undefined {
  const viewport = task.setup?.viewport;
  const settings = {
    ...task.determinism,
    ...(viewport ? { viewport } : {}),
    ...(seed === undefined ? {} : { seed }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function policyOf({ task, folder }: LoadedTask, allowHosts: readonly string[]): NetworkPolicy {
  if (task.network?.mode === 'replay') {
    return { mode: 'replay', recording: readRecording(path.resolve(folder, task.network.recording)), allowHosts };
  }
  if (task.network?.mode === 'blocked') return { mode: 'blocked', allowHosts };
  const allowWrites = [...(task.network?.allowWrites ?? []), ...allowHosts];
  return allowWrites.includes('*') ? { mode: 'live' } : { mode: 'guarded', allowWrites };
}
