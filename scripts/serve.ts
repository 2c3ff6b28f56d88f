/** `npm run serve`: builds the web app if its sources have changed, and starts `waymark serve` with it. */
import { cachedWeb } from './build-web.ts';

// Not from dist/, which a build removes while the server runs.
process.env['WAYMARK_WEB_FOLDER'] = await cachedWeb();
process.argv.splice(2, 0, 'serve');
await import('../src/cli/main.ts');
