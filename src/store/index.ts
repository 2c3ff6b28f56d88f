/** The database, the queue in it, and artifacts beside it. */
export { appendRunLog, RUNS_TOPIC, type RunLogLine, runTopic } from './append-run-log.ts';

export type { Artifacts } from './artifacts/artifacts.ts';
export { FolderArtifacts } from './artifacts/folder-artifacts.ts';
export { openArtifacts } from './artifacts/open-artifacts.ts';
export { isS3Address } from './artifacts/s3-address.ts';

export { exportData } from './backup/export-data.ts';
export { importData } from './backup/import-data.ts';
export type { Queryable, Transaction } from './database.ts';
export { insertRows } from './insert-rows.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export { type DeadJob, GiveUp, type Job } from './queue/job.ts';
export { Queue, type QueueStats } from './queue/queue.ts';
export {
  apiProviderSchema,
  callableProvider,
  createApiProvider,
  deleteApiProvider,
  getApiProvider,
  listApiProviders,
  providerRef,
  updateApiProvider,
} from './records/api-providers.ts';
export { loadKeptVersion } from './records/dataset-versions.ts';
export {
  createDataset,
  datasetSections,
  deleteDataset,
  getDataset,
  listDatasetItems,
  listDatasets,
  loadDataset,
  lockVersion,
  replaceItems,
  reportOf,
} from './records/datasets.ts';
export { answerToKey, type KeyedRequest, keepKey, lockKey } from './records/idempotency-keys.ts';
export { isUuid } from './records/ids.ts';

export * as schema from './schema/index.ts';
export { type JsonRow, selectAsJson } from './select-as-json.ts';
export type { Store } from './store.ts';
