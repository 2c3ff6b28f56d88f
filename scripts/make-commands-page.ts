/** Writes docs/reference/commands.md. Run it after changing the help of a command. */
import { writeFileSync } from 'node:fs';
import { commandsPage } from './commands-page.ts';

writeFileSync(new URL('../docs/reference/commands.md', import.meta.url), await commandsPage());
