/** The pure part of cases/: schemas and types of tasks and questions. No file is read here, so that a browser can run it. */
export { type Checker, checkerSchema } from './questions/checker-schema.ts';
export { ITEM_TYPES, type Item, itemSchema } from './questions/item.ts';
export { defineTask, type EpisodeTaskSpec, parseTask, TASK_LIMITS, type TaskInput, taskSchema } from './tasks/task.ts';
