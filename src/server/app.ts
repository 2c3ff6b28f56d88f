/**
 * The whole server as one function from request to response. It opens no port: `app.request()` is enough for a test.
 */
import { randomUUID } from 'node:crypto';
import type { Access } from './access.ts';
import { allowedMethods } from './allowed-methods.ts';
import { bodyLimits } from './body-limits.ts';
import { guard } from './guard.ts';
import { Metrics } from './metrics.ts';
import { errorToProblem } from './on-error.ts';
import { addOpenApiDocument } from './openapi-document.ts';
import { problem } from './problem.ts';
import { newRouter, type RouteModule, type Router, type ServerContext } from './route-module.ts';
import { routeModules as registered } from './route-modules.ts';
import { securityHeaders } from './security-headers.ts';
import { Slots } from './slots.ts';
import { systemRouter } from './system-routes.ts';
import { webApp } from './web-app.ts';

/** Event streams that are open at once. Each holds a connection and a subscription for as long as its reader likes. */
const MOST_STREAMS = 256;

export interface AppOptions extends ServerContext {
  access: Access;
  routeModules?: readonly RouteModule[];
  /** The web app's built folder. */
  webFolder?: string | undefined;
}

export function createApp({ access, routeModules = registered, webFolder, ...context }: AppOptions): Router {
  const metrics = new Metrics();
  const streams = new Slots(MOST_STREAMS);
  const app = newRouter();
  app.use(async (c, next) => {
    c.set('requestId', randomUUID());
    c.set('streams', streams);
    await next();
  });
  app.use(metrics.middleware, securityHeaders(), guard(access), bodyLimits(routeModules));
  app.onError((error, c) => errorToProblem(error, c, context.log));
  app.notFound((c) => {
    const allow = allowedMethods(app.routes, c.req.path);
    // A path that takes the method, and has nothing there, is not found: a file of the web app, for example.
    if (allow.length === 0 || allow.includes(c.req.method))
      return problem({ code: 'not_found', detail: `There is nothing at ${c.req.path}.` });
    return problem({
      code: 'method_not_allowed',
      detail: `${c.req.path} does not take ${c.req.method}.`,
      hint: `It takes ${allow.join(', ')}.`,
      headers: { allow: allow.join(', ') },
    });
  });
  app.route('/', systemRouter(context, metrics));
  for (const module of routeModules) {
    if (module.router) app.route('/', module.router(context));
  }
  addOpenApiDocument(app, { access, version: context.version });
  app.route('/', webApp(webFolder));
  return app;
}
