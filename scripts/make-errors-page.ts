/** Writes docs/reference/errors.md. Run it after a change of `src/errors/codes.ts`. */
import { writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.ts';

writeFileSync(new URL('../docs/reference/errors.md', import.meta.url), errorsPage());
