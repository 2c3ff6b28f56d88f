/** Security headers of every response: no framing, no sniffing, no sharing, and pages run only our own scripts. */
import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './route-module.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** `nonce` is for style elements that libraries create: the page passes it to them (see web-app.ts). */
function contentSecurityPolicy(nonce: string): string {
  return [...POLICY, `style-src 'self' 'nonce-${nonce}'`].join('; ');
}

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // `no-referrer` is not used, because forms of our own pages would then send `Origin: null` and be refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

export function securityHeaders(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const nonce = randomBytes(16).toString('base64');
    c.set('nonce', nonce);
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
    // A route may set a stricter policy, for example a sandbox for stored files.
    if (!c.res.headers.has('content-security-policy'))
      c.header('content-security-policy', contentSecurityPolicy(nonce));
    // Responses with dataset answers must not be cached. The built files set their own header.
    if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store');
  };
}
