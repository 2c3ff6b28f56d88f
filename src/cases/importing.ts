/** Tasks of other benchmarks: files and folders as they are published become folders of tasks. Only the command that imports loads this. */
export { TASK_FORMATS, type TaskFormat } from './imports/formats.ts';
export { LISTED_BENCHMARKS } from './imports/import-list.ts';
export { importSource } from './imports/import-source.ts';
export type { ImportedSource } from './imports/imported-source.ts';
export { judgedBy, judgedByText } from './imports/judged-by.ts';
export { readJson } from './imports/rows-of-text.ts';
export { writeSuite } from './imports/write-suite.ts';
export { readReferenceAnswers } from './live-sites/webvoyager-task.ts';
export { MAX_SEED } from './miniwob/miniwob-task.ts';
export type { ImportedRow } from './rows/imported-row.ts';
export type { Sites } from './rows/sites.ts';
export { importVerifiedRow } from './webarena/verified-task.ts';
export { importVisualRow, importWebarenaRow } from './webarena/webarena-task.ts';
