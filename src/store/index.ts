/** The database, the queue in it, and artifacts beside it. */
export { type AddressClass, addressClass } from './address-class.ts';
export { appendRunLog, RUNS_TOPIC, type RunLogLine, runTopic } from './append-run-log.ts';
export { checkArtifactKey, contentKey } from './artifacts/artifact-key.ts';
export type { ArtifactBody, ArtifactInfo, Artifacts, PutResult } from './artifacts/artifacts.ts';
export { FolderArtifacts } from './artifacts/folder-artifacts.ts';
export type { BackupCounts } from './backup/archive.ts';
export { exportData } from './backup/export-data.ts';
export { importData } from './backup/import-data.ts';
export type { Database, Engine, Queryable, Transaction } from './database.ts';
export { openStore, type StoreOptions } from './open-store.ts';
export { assertPublicUrl, guardedLookup, type UrlGuardOptions } from './public-url.ts';
export { type DeadJob, GiveUp, type Job, type JobHandler } from './queue/job.ts';
export { type EnqueueOptions, Queue, type QueueDefinition, type QueueStats, type WorkOptions } from './queue/queue.ts';
export * as schema from './schema/index.ts';
export type { Store } from './store.ts';
