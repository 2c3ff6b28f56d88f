/** All tables. */
export { attempt } from './attempt.ts';
export { attemptEvent } from './attempt-event.ts';
export { ATTEMPT_RESULTS } from './attempt-results.ts';
export { CELL_STATES, cell } from './cell.ts';
export { dataset, datasetItem, datasetVersion } from './dataset.ts';
export { FURTHER_STATUSES, furtherGrading } from './further-grading.ts';
export { grade, VERDICTS } from './grade.ts';
export { idempotencyKey, KEYED_OPERATIONS } from './idempotency-key.ts';
export { captureImport } from './import.ts';
export { keyBinding } from './key-binding.ts';
export { pack } from './pack.ts';
export { PROVIDER_KINDS, provider, SURFACES } from './provider.ts';
export { GRADING_STATUSES, RUN_STATUSES, run, TRIGGERS } from './run.ts';
export { runEvent } from './run-event.ts';
export { LOG_LEVELS, runLog } from './run-log.ts';
export { runWork } from './run-work.ts';
export { schedule } from './schedule.ts';
export { worker } from './worker.ts';
