/** Addresses that may be called, and a fetch that calls no other. */
export { type PinnedRequest, pinnedFetch, RedirectRefused } from './pinned-fetch.ts';
export { assertPublicUrl } from './public-url.ts';
