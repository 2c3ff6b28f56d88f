/** Writes docs/pictures/modules.svg. Run it after a change of module-layers.json or of what a module imports. */
import { writeFileSync } from 'node:fs';
import { modulePicture } from './module-picture/module-picture.ts';

writeFileSync(new URL('../docs/pictures/modules.svg', import.meta.url), modulePicture());
