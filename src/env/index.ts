/** `waymark env`: reset, step and evaluate over HTTP, for programs that drive an episode themselves. */
export { serveEnv } from './serve-env.ts';
