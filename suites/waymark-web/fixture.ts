/** The sites of the benchmark: `waymark run` starts them before the tasks and stops them at the end. */
import { fixtureOf } from '../shared/site-server.ts';
import { STATE_HEADER, startWeb } from './server.ts';

export default async function start() {
  const server = await startWeb();
  return { ...fixtureOf(server), stateHeaders: { [STATE_HEADER]: server.stateKey } };
}
