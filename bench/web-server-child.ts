/** The sites of Waymark Web in a process of their own, so that their memory can be told from the harness's. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { STATE_HEADER, startWeb } from '../suites/waymark-web/server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const server = await startWeb();
const { port, hosts, stateKey } = server;
process.send?.({ port, hosts, stateHeaders: { [STATE_HEADER]: stateKey } });
process.on('message', () => {
  collect();
  process.send?.({ heapMiB: process.memoryUsage().heapUsed / 2 ** 20, instances: server.instances() });
});
process.on('disconnect', () => process.exit(0));
