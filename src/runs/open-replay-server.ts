/** A place for one replay of an attempt: a clean slot of the pool, set up as the attempt's own, with a server of its own. */
import type { LoadedTask } from '../cases/index.ts';
import type { Pool } from '../chromium/index.ts';
import { type ServerUnderTest, serverUnderTest } from '../episode/index.ts';
import { attachServer } from '../tools/index.ts';
import { configureSlot, type SlotSettings } from './configure-slot.ts';
import type { TaskRun } from './resolve-tasks.ts';

export interface ReplayContext extends SlotSettings {
  run: Pick<TaskRun, 'profile' | 'isolation'>;
  pool: Pool;
}

export async function openReplayServer(
  loaded: LoadedTask,
  { run, pool, ...settings }: ReplayContext,
  signal: AbortSignal,
): Promise<ServerUnderTest & AsyncDisposable> {
  const { slot } = await pool.acquire(signal);
  try {
    await configureSlot(slot, loaded, settings);
    const attached = await attachServer(run.profile, slot, { fresh: true, signal });
    return {
      ...serverUnderTest(attached, slot, run.isolation),
      [Symbol.asyncDispose]: async () => {
        await attached.dispose().catch(() => {});
        // A slot that can't be reset is replaced by the pool, which reports it.
        await slot.release().catch(() => {});
      },
    };
  } catch (error) {
    await slot.release().catch(() => {});
    throw error;
  }
}
