/** Writes schemas/contract.schema.json from the zod schema. Run it after changing src/contracts/schema.ts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { contractJsonSchema } from '../src/contracts/index.ts';

const file = new URL('../schemas/contract.schema.json', import.meta.url);
mkdirSync(new URL('.', file), { recursive: true });
writeFileSync(file, `${JSON.stringify(contractJsonSchema(), null, 2)}\n`);
