/** Builds once what many flow tests share, so that no test waits in its own time until others have built the same: an empty database, the web app and the viewer of reports. */
import { cachedSnapshot } from './build-store.ts';
import { cachedViewer, cachedWeb } from './build-web.ts';

await cachedSnapshot();
await cachedWeb();
await cachedViewer();
