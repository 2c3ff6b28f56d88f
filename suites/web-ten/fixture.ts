/** The sites of the suite: `waymark run` starts them before the tasks and stops them at the end. */
import { fixtureOf } from '../shared/site-server.ts';
import { startSites } from './site/server.ts';

export default async function start() {
  return fixtureOf(await startSites());
}
