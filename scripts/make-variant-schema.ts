/** Writes schemas/variant.schema.json from the zod schema. Run it after changing src/runs/variant-file.ts. */
import { writeFileSync } from 'node:fs';
import { variantJsonSchema } from './variant-json-schema.ts';

writeFileSync(
  new URL('../schemas/variant.schema.json', import.meta.url),
  `${JSON.stringify(variantJsonSchema(), null, 2)}\n`,
);
