/**
 * Serves the web app under /app/ from its built folder. The app's own routes get its page too, so that links into it work.
 * In the page, `__CSP_NONCE__` is replaced by the nonce of the response, for libraries that create style elements.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import type { AppEnv } from './route-module.ts';

const WEB_APP_PATH = '/app';
const FOREVER = 'public, max-age=31536000, immutable';

export function webApp(folder: string | undefined): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/', (c) => c.redirect(`${WEB_APP_PATH}/`, 302));
  app.get(WEB_APP_PATH, (c) => c.redirect(`${WEB_APP_PATH}/`, 302));
  const page = folder === undefined ? undefined : path.join(folder, 'index.html');
  if (folder === undefined || page === undefined || !existsSync(page)) {
    app.get(`${WEB_APP_PATH}/*`, (c) => c.html(NOT_BUILT, 200));
    return app;
  }
  const files = serveStatic({ root: folder, rewriteRequestPath: (request) => request.slice(WEB_APP_PATH.length) });
  app.get(`${WEB_APP_PATH}/assets/*`, async (c, next) => {
    await next();
    // These names contain a hash of the content.
    if (c.res.ok) c.header('cache-control', FOREVER);
  });
  app.get(`${WEB_APP_PATH}/*`, async (c, next) => {
    const isPage = !path.posix.basename(c.req.path).includes('.');
    if (isPage) return c.html(readFileSync(page, 'utf8').replaceAll('__CSP_NONCE__', c.get('nonce')));
    return files(c, next);
  });
  return app;
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waymark</title>
<h1>Waymark is running</h1>
<p>The web app is not built here. The API is: see <a href="/openapi.json">/openapi.json</a>.</p>
<p>To build the web app in a checkout: <code>npm run build</code>, then start the server again.</p>
</html>
`;
