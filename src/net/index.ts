/** Checks which addresses may be called, a fetch that connects only to checked addresses, and listening on one. */
export { listen } from './listen.ts';
export { type PinnedRequest, pinnedFetch, RedirectRefused } from './pinned-fetch.ts';
export { assertPublicUrl } from './public-url.ts';
