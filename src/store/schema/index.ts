/** All tables. */
export { artifact } from './artifact.ts';
export { dataset, datasetItem, ITEM_TYPES } from './dataset.ts';
export { episode } from './episode.ts';
export { captureImport } from './import.ts';
export { pack } from './pack.ts';
export { PROVIDER_KINDS, provider, SURFACES } from './provider.ts';
export { RUN_ITEM_STATUSES, RUN_STATUSES, run, runItem, SCORING_STATUSES, TRIGGERS } from './run.ts';
export { RUN_EVENTS, runEvent } from './run-event.ts';
export { LOG_LEVELS, runLog } from './run-log.ts';
export { schedule } from './schedule.ts';
export { score, VERDICTS } from './score.ts';
