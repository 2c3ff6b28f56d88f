/** OpenChrome's profile against a stand-in with its real schemas and answers: it is not on npm. */
import path from 'node:path';
import { testServer } from './support/test-server.ts';

testServer('openchrome', { missing: 'element_not_found', deadHost: 'navigation_failed' }, () => ({
  server: 'openchrome',
  command: [process.execPath, path.join(import.meta.dirname, 'support/openchrome-stand-in.ts')],
}));
