import { testServer } from './support/test-server.ts';

testServer('embedded', { missing: 'element_not_found', stale: 'stale_ref', deadHost: 'navigation_failed' });
