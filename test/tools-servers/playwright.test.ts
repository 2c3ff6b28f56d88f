import { testServer } from './support/test-server.ts';

testServer('playwright', { missing: 'element_not_found', stale: 'stale_ref', deadHost: 'navigation_failed' });
