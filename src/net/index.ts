/** Checks which addresses may be called, and a fetch that connects only to checked addresses. */

export { isSameSecret } from './loopback-guard.ts';
export { startLoopbackServer } from './loopback-server.ts';
export { type PinnedRequest, pinnedFetch, RedirectRefused } from './pinned-fetch.ts';
export { assertPublicUrl } from './public-url.ts';
