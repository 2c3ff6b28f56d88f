/** The one server of the suite: all its sites, by host name, on loopback only. */
import { type SiteServer, startSiteServer } from '../../shared/site-server.ts';
import { desk } from './desk/index.ts';
import { library } from './library/index.ts';
import { rail } from './rail/index.ts';
import { shop } from './shop/index.ts';
import { COOKIE } from './site.ts';
import { wiki } from './wiki/index.ts';

const VISITOR = new RegExp(`(?:^|;\\s*)${COOKIE}=([0-9a-f-]{36})(?:;|$)`);

export function startSites(): Promise<SiteServer> {
  const sites = new Map([shop(), library(), rail(), wiki(), desk()].map((site) => [site.host, site]));
  return startSiteServer([...sites.keys()], (request) => {
    const site = sites.get(request.host);
    if (!site) throw new Error(`There is no site ${request.host}.`);
    return site.answer(request, VISITOR.exec(request.headers.cookie ?? '')?.[1]);
  });
}
