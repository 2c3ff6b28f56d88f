/** The HTTP API, its event streams, and the server process. */
export { decideAccess, isLoopback } from './access.ts';

export { createApp } from './app.ts';
export { eventStream } from './event-stream.ts';
export { problemResponses } from './problem.ts';
export { newRouter, type RouteModule, type Router, type ServerContext } from './route-module.ts';
export { routeModules } from './route-modules.ts';
export { type ApiRoutesOptions, apiRoutes } from './routes/api-routes.ts';
export type { Fixtures } from './routes/route-context.ts';
export { runFolderRoutes } from './routes/run-folders.ts';
export { startedRunRoutes } from './routes/started-runs.ts';
export { runEvents } from './run-events.ts';

export { type RunningServer, startServer } from './start-server.ts';
