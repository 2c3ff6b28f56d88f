/**
 * The OpenAPI document: what the routes describe, and what holds for all of them. Every route may be refused with a problem (a wrong host, too
 * large a body, too many streams), and on a server with a token every route but the health checks asks for it.
 */
import type { Access } from './access.ts';
import { COOKIE, OPEN } from './guard.ts';
import { problemSchema } from './problem.ts';
import type { Router } from './route-module.ts';

const SCHEMES = {
  token: { type: 'http', scheme: 'bearer', description: 'The token that the server was started with' },
  cookie: { type: 'apiKey', in: 'cookie', name: COOKIE, description: 'The same in a browser, set by its sign-in page' },
} as const;

export function addOpenApiDocument(app: Router, { access, version }: { access: Access; version: string }): void {
  const { openAPIRegistry: registry } = app;
  const names = Object.keys(SCHEMES).map((name) => ({ [name]: [] }));
  for (const [name, scheme] of Object.entries(SCHEMES)) registry.registerComponent('securitySchemes', name, scheme);
  const refusal = {
    description: 'Refused',
    content: { 'application/problem+json': { schema: problemSchema } },
  };
  for (const definition of registry.definitions) {
    if (definition.type !== 'route') continue;
    const { route } = definition;
    route.responses = { ...route.responses, default: refusal };
    if (OPEN.has(route.path)) route.security = [];
  }
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Waymark', version },
    // An empty one: a server without a token asks for nothing.
    security: access.token === undefined ? [{}, ...names] : names,
  });
}
