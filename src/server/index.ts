/** HTTP API, events, and the process around them. */
export { type Access, type AccessOptions, decideAccess } from './access.ts';
export type { Api } from './api.ts';
export { type AppOptions, createApp } from './app.ts';
export { type EventSourceOf, type EventStreamOptions, eventStream, type StreamEvent } from './event-stream.ts';
export { type Issue, type Problem, ProblemError, problem, problemResponses, problemSchema } from './problem.ts';
export { type AppEnv, MEGABYTE, newRouter, type Room, type Router, type ServerContext } from './room.ts';
export type { Fixtures, PageParts } from './rooms/browser-harness/desk.ts';
export { type BrowserHarnessOptions, browserHarness } from './rooms/browser-harness.ts';
export { rooms } from './rooms.ts';
export { runEvents } from './run-events.ts';
export { runsEvents } from './runs-events.ts';
export { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
