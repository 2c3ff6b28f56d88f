/** The profile of a configured server. */
import { browserosProfile } from './browseros.ts';
import { devtoolsProfile } from './chrome-devtools.ts';
import { customProfile } from './custom.ts';
import { EMBEDDED_PROFILE } from './embedded.ts';
import { openchromeProfile } from './openchrome.ts';
import { playwrightProfile } from './playwright.ts';
import type { ServerProfile } from './profile.ts';
import { parseServerChoice, type ServerChoice } from './server-choice.ts';

/** @example profileOf('playwright'); profileOf({ server: 'openchrome', command: ['node', 'openchrome/dist/index.js'] }) */
export function profileOf(given: string | ServerChoice): ServerProfile {
  const choice = parseServerChoice(given);
  switch (choice.server) {
    case 'embedded':
      return choice.filesFolder === undefined
        ? EMBEDDED_PROFILE
        : { ...EMBEDDED_PROFILE, filesFolder: choice.filesFolder };
    case 'playwright':
      return playwrightProfile(choice);
    case 'chrome-devtools':
      return devtoolsProfile(choice);
    case 'openchrome':
      return openchromeProfile(choice);
    case 'browseros':
      return browserosProfile(choice);
    case 'custom':
      return customProfile(choice);
  }
}
