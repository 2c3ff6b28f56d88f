/** Writes docs/reference/api.md. Run it after a change of a route. */
import { writeFileSync } from 'node:fs';
import { apiPage } from './api-page.ts';

writeFileSync(new URL('../docs/reference/api.md', import.meta.url), await apiPage());
