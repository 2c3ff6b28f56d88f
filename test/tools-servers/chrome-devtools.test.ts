import { testServer } from './support/test-server.ts';

// It says in an ordinary result that an address could not be reached, not in an error.
testServer('chrome-devtools', { missing: 'element_not_found', stale: 'stale_ref', deadHost: '' });
