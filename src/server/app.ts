/**
 * The whole server as one function from request to response. It opens no port: `app.request()` is enough for a test.
 */
import { randomUUID } from 'node:crypto';
import type { Access } from './access.ts';
import { bodyLimits } from './body-limits.ts';
import { guard } from './guard.ts';
import { Metrics } from './metrics.ts';
import { errorToProblem } from './on-error.ts';
import { problem } from './problem.ts';
import { newRouter, type RouteModule, type Router, type ServerContext } from './route-module.ts';
import { routeModules as registered } from './route-modules.ts';
import { securityHeaders } from './security-headers.ts';
import { systemRouter } from './system-routes.ts';
import { webApp } from './web-app.ts';

export interface AppOptions extends ServerContext {
  access: Access;
  routeModules?: readonly RouteModule[];
  /** The web app's built folder. */
  webFolder?: string | undefined;
}

export function createApp({ access, routeModules = registered, webFolder, ...context }: AppOptions): Router {
  const metrics = new Metrics();
  const app = newRouter();
  app.use(async (c, next) => {
    c.set('requestId', randomUUID());
    await next();
  });
  app.use(metrics.middleware, securityHeaders(), guard(access), bodyLimits(routeModules));
  app.onError((error, c) => errorToProblem(error, c, context.log));
  app.notFound((c) => problem({ code: 'not_found', detail: `There is nothing at ${c.req.path}.` }));
  app.route('/', systemRouter(context, metrics));
  for (const module of routeModules) {
    if (module.router) app.route('/', module.router(context));
  }
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Waymark', version: context.version },
  });
  app.route('/', webApp(webFolder));
  return app;
}
