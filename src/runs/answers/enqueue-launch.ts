/** Asks for a run's questions to be asked, in the transaction of what causes it. */
import type { Queue, Transaction } from '../../store/index.ts';

export const LAUNCH_QUEUE = 'runs.launch';

/** @returns whether a job was taken: none is while one for the same attempt waits or runs. */
export async function enqueueLaunch(
  queue: Pick<Queue, 'enqueue'>,
  tx: Transaction,
  runId: string,
  attempt: number,
): Promise<boolean> {
  // The attempt is part of the key: the job of a cancelled one may not have been put away yet when the run is resumed.
  const singletonKey = `${runId}:${attempt}`;
  return (await queue.enqueue(tx, LAUNCH_QUEUE, { run_id: runId, attempt }, { singletonKey })) !== null;
}
