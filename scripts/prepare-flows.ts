/** Builds once what many flow tests share, so that no test waits in its own time until others have built the same: an empty database and the web app. */
import { cachedSnapshot } from './build-store.ts';
import { cachedWeb } from './build-web.ts';

await cachedSnapshot();
await cachedWeb();
