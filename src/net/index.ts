/** Checks which addresses may be called, a fetch that connects only to checked addresses, and servers on this machine. */

export { listen } from './listen.ts';
export { isSameSecret } from './loopback-guard.ts';
export { startLoopbackServer } from './loopback-server.ts';
export { type PinnedRequest, pinnedFetch, RedirectRefused } from './pinned-fetch.ts';
export { assertPublicUrl } from './public-url.ts';
