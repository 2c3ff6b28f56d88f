/** Writes schemas/task.schema.json from the zod schema. Run it after changing src/cases/tasks/task.ts. */
import { writeFileSync } from 'node:fs';
import { taskJsonSchema } from './task-json-schema.ts';

writeFileSync(
  new URL('../schemas/task.schema.json', import.meta.url),
  `${JSON.stringify(taskJsonSchema(), null, 2)}\n`,
);
