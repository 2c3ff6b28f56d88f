/** Two workers and one kill; `npm run chaos:workers` has three workers, 300 episodes and all troubles. */
import { expect, test } from 'vitest';
import { chaosWorkers } from './chaos-workers.ts';

test('a worker that is killed loses nothing: its attempt is begun again by another one, and the torn one stays', async () => {
  const counts = await chaosWorkers({
    workers: 2,
    concurrency: 1,
    tasks: 4,
    trials: 2,
    waitMs: 600,
    leaseSeconds: 2,
    troubles: [{ at: 0.25, kill: 0 }],
  });
  expect(counts).toMatchObject({ episodes: 8, passed: 8, killed: 1, attempts: 9, torn: 1, s3Refused: 0 });
  expect(counts.pictures).toBeGreaterThan(8);
}, 120_000);
