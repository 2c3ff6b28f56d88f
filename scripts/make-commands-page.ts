/** Writes docs/reference/commands.md. Run it after a change of a command's help. */
import { writeFileSync } from 'node:fs';
import { commandsPage } from './commands-page.ts';

writeFileSync(new URL('../docs/reference/commands.md', import.meta.url), await commandsPage());
