/** Writes schemas/baseline.schema.json from the zod schema. Run it after changing src/runs/compare/baseline-file.ts. */
import { writeFileSync } from 'node:fs';
import { baselineJsonSchema } from './baseline-json-schema.ts';

writeFileSync(
  new URL('../schemas/baseline.schema.json', import.meta.url),
  `${JSON.stringify(baselineJsonSchema(), null, 2)}\n`,
);
