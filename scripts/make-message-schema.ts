/** Writes schemas/message.schema.json from the zod schema. Run it after changing src/events/trace-message.ts or src/events/message.ts. */
import { writeFileSync } from 'node:fs';
import { traceMessageJsonSchema } from '../src/events/index.ts';

const file = new URL('../schemas/message.schema.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(traceMessageJsonSchema(), null, 2)}\n`);
