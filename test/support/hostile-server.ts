/** The choice of a server that misbehaves: see `child-hostile-server.ts` for how. */
import path from 'node:path';
import type { ServerChoice } from '../../src/tools/index.ts';

export type CustomServer = Extract<ServerChoice, { server: 'custom' }>;

export function hostileServer(mode = 'obedient', program = process.execPath): CustomServer {
  return {
    server: 'custom',
    name: 'hostile',
    attach: 'gate',
    dialect: 'embedded',
    command: [program, path.join(import.meta.dirname, 'child-hostile-server.ts'), mode, '{cdpWs}'],
    navigate: { tool: 'navigate' },
    observe: ['read_page'],
  };
}
