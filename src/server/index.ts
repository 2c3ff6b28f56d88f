/** The HTTP API, its event streams, and the server process. */
export { type Access, type AccessOptions, decideAccess } from './access.ts';
export type { Api } from './api.ts';
export { type AppOptions, createApp } from './app.ts';
export { type EventSourceOf, type EventStreamOptions, eventStream, type StreamEvent } from './event-stream.ts';
export { type Issue, type Problem, problem, problemResponses, problemSchema } from './problem.ts';
export { type AppEnv, MEGABYTE, newRouter, type RouteModule, type Router, type ServerContext } from './route-module.ts';
export { routeModules } from './route-modules.ts';
export { type ApiRoutesOptions, apiRoutes } from './routes/api-routes.ts';
export type { Fixtures } from './routes/route-context.ts';
export { runEvents } from './run-events.ts';
export { runsEvents } from './runs-events.ts';
export { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
