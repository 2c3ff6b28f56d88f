/**
 * The module `fixture.mjs` of an imported folder of MiniWoB++. It serves the pages, and adds a script to each task page that does what the
 * benchmark's own drivers do: set the seed, allow more time, start the episode. There is one try: its reward stays, also after a reload.
 */
export const MINIWOB_HOST = 'miniwob.test';
export const SEED_PARAMETER = 'waymark-seed';
/** As in BrowserGym: a model needs longer than the ten seconds of a page. */
const EPISODE_MS = 1_000_000;

const START = `<script>
(() => {
  const seed = new URLSearchParams(location.search).get('${SEED_PARAMETER}');
  if (seed === null) return;
  const key = 'waymark' + location.pathname + location.search;
  const noMore = () => { core.startEpisodeReal = () => {}; };
  addEventListener('load', () => {
    const before = sessionStorage.getItem(key);
    if (before !== null) {
      WOB_RAW_REWARD_GLOBAL = Number(before);
      WOB_DONE_GLOBAL = true;
      noMore();
      return;
    }
    const end = core.endEpisode;
    core.endEpisode = function (...how) {
      end.apply(this, how);
      if (!WOB_DONE_GLOBAL || sessionStorage.getItem(key) !== null) return;
      sessionStorage.setItem(key, String(WOB_RAW_REWARD_GLOBAL));
      noMore();
    };
    Math.seedrandom(Number(seed));
    core.EPISODE_MAX_TIME = ${EPISODE_MS};
    core.startEpisodeReal();
  });
})();
</script>`;

export const MINIWOB_FIXTURE = `// Written by waymark import: serves the pages of MiniWoB++ in the folder "pages", and starts the episode of a task page with its seed.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const PAGES = fileURLToPath(new URL('./pages/', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.json': 'application/json',
  '.png': 'image/png', '.jpg': 'image/jpeg', '.gif': 'image/gif', '.svg': 'image/svg+xml', '.woff': 'font/woff', '.woff2': 'font/woff2', '.ttf': 'font/ttf',
};
const START = ${JSON.stringify(START)};

export default async function start() {
  const server = createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://${MINIWOB_HOST}'))
      .then(({ type, body }) => response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body))
      .catch(() => response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page.'));
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    resolverRules: \`MAP ${MINIWOB_HOST} 127.0.0.1:\${server.address().port}\`,
    allowHosts: ['${MINIWOB_HOST}'],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer({ pathname }) {
  const file = path.join(PAGES, path.normalize(decodeURIComponent(pathname)));
  if (!file.startsWith(PAGES)) throw new Error('outside');
  const body = await readFile(file);
  const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  return { type, body: type.startsWith('text/html') ? withStart(body.toString('utf8')) : body };
}

/** At the end, so that it runs after the page's own scripts. */
function withStart(html) {
  const end = html.lastIndexOf('</body>');
  return end < 0 ? html + START : html.slice(0, end) + START + html.slice(end);
}
`;
