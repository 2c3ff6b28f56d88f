/** Chat pages for practice, served next to the server. They are part of a checkout, not of the published package. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { WaymarkError } from '../errors/index.ts';
import type { Fixtures } from '../server/index.ts';
import { packageRoot } from './version.ts';

export interface ServedFixtures extends AsyncDisposable {
  readonly pages: Fixtures;
  readonly urls: readonly string[];
}

/** The part of fixtures/ that this file uses. */
interface FixtureModules {
  startFixtureServer: (options: { port: number }) => Promise<AsyncDisposable & { address: string }>;
  customSelectors: Readonly<Record<string, readonly string[]>>;
}

/** Listens on a fixed loopback port, so that earlier packs and bookmarks still work. */
export async function serveFixtures(port: number): Promise<ServedFixtures> {
  const { startFixtureServer, customSelectors } = await loadFixtures();
  const server = await startFixtureServer({ port });
  const page = (name: string) => ({ url: `${server.address}/chat/${name}`, origin: server.address });
  const selectors = Object.fromEntries(Object.entries(customSelectors).map(([role, list]) => [role, [...list]]));
  const pages = { chatgpt: page('chatgpt'), gemini: page('gemini'), custom: { ...page('custom'), selectors } };
  return {
    pages,
    urls: Object.values(pages).map(({ url }) => url),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function loadFixtures(): Promise<FixtureModules> {
  const folder = path.join(packageRoot, 'fixtures');
  if (!existsSync(path.join(folder, 'server.ts'))) {
    throw new WaymarkError({
      code: 'usage_no_fixtures',
      message: 'The fixture pages are not part of this installation.',
      hint: 'Use --fixtures in a checkout of Waymark.',
    });
  }
  const load = async <T>(name: string) => (await import(pathToFileURL(path.join(folder, name)).href)) as T;
  return {
    ...(await load<Pick<FixtureModules, 'startFixtureServer'>>('server.ts')),
    ...(await load<Pick<FixtureModules, 'customSelectors'>>('chat/pages.ts')),
  };
}
