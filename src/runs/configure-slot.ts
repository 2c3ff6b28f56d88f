/** Applies what a task says of its browser to a slot that was prepared before. */
import path from 'node:path';
import type { LoadedTask } from '../cases/index.ts';
import { type NetworkPolicy, readRecording, type Slot } from '../chromium/index.ts';

/** `allowHosts`: hosts that blocked and replayed tasks may still reach. */
export async function configureSlot(slot: Slot, loaded: LoadedTask, allowHosts: readonly string[]): Promise<void> {
  const { network, setup } = loaded.task;
  await slot.witness.configure({
    ...(network ? { network: policyOf(loaded, allowHosts) } : {}),
    ...(setup?.viewport ? { determinism: { viewport: setup.viewport } } : {}),
  });
}

function policyOf({ task, folder }: LoadedTask, allowHosts: readonly string[]): NetworkPolicy {
  if (task.network?.mode === 'replay') {
    return { mode: 'replay', recording: readRecording(path.resolve(folder, task.network.recording)), allowHosts };
  }
  return task.network?.mode === 'blocked' ? { mode: 'blocked', allowHosts } : { mode: 'live' };
}
