/** The thread that checks answers: see check-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../errors/index.ts';
import type { CheckMessage, CheckRequest, CheckThreadData } from './check-thread.ts';
import { gradeItem, gradingError } from './grade-item.ts';

/** Results go back this often: the other thread need not do again what has come back when a check takes too long. */
const SEND_MS = 20;

const { current } = workerData as CheckThreadData;

parentPort?.on('message', ({ items }: CheckRequest) => {
  let grades: CheckMessage['grades'][number][] = [];
  let sent = performance.now();
  const send = (isEnd: boolean) => {
    parentPort?.postMessage({ grades, isEnd } satisfies CheckMessage);
    grades = [];
    sent = performance.now();
  };
  for (const [index, pending] of items.entries()) {
    if (performance.now() - sent > SEND_MS) send(false);
    Atomics.store(current, 0, index);
    grades.push(gradeOf(pending));
  }
  send(true);
});

function gradeOf(pending: CheckRequest['items'][number]): CheckMessage['grades'][number] {
  try {
    return gradeItem(pending);
  } catch (thrown) {
    return gradingError(pending.item.id, pending.attempt, `The check failed: ${messageOf(thrown)}`);
  }
}
