/** The door of this folder for the command line and the server: one module in the published package, `dist/page/parts.js`. */
export { runtimePack } from './assemble.ts';
export { bookmarklet, bookmarkletLength, bookmarkletLoader, MAX_BOOKMARKLET, packFile, rawScript } from './embed.ts';
export { presets } from './presets.ts';
export { validateSelectors } from './selectors.ts';
