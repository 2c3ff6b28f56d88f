/** The last part of the bootstrap: a browser. `--find-only` exits with code 4 if one would have to be installed. */

import { findBrowser } from '../src/chromium/launch/find-browser.ts';
import { ensureBrowser } from '../src/chromium/launch/install-browser.ts';
import { WaymarkError } from '../src/errors/index.ts';

const MUST_INSTALL = 4;

try {
  if (process.argv.includes('--find-only')) {
    if (!findBrowser()) process.exitCode = MUST_INSTALL;
  } else {
    ensureBrowser((line) => console.log(`bootstrap: ${line}`));
  }
} catch (error) {
  if (!(error instanceof WaymarkError)) throw error;
  console.error(`bootstrap: ${error.message}${error.hint ? `\n${error.hint}` : ''}`);
  process.exitCode = 1;
}
