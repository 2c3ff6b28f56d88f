/** What clients ask beside replies: which models there are, and whether the server is up. Every other path is a 404 in JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswerContext } from './answer-request.ts';
import { modelNameOf } from './model-name.ts';
import { POLICIES, type PolicyName } from './policies/index.ts';
import { sendJson } from './send-reply.ts';

interface SideRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

export function answerSideRoute({ request, response, url }: SideRequest, { models }: AnswerContext): void {
  const names = models ?? ['test', ...(Object.keys(POLICIES) as PolicyName[]).map(modelNameOf)];
  // Clients send bodies to some of these; none is needed.
  request.resume();
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && url.pathname === '/') return sendJson(response, 200, { name: 'waymark test-model' });
  if (isRead && url.pathname === '/v1/models') {
    return sendJson(response, 200, { object: 'list', data: names.map(openModel), has_more: false });
  }
  const [, google] = /^\/v1(?:beta|alpha)\/models(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
  if (isRead && google !== undefined) return sendJson(response, 200, googleModel(decodeURIComponent(google)));
  if (isRead && /^\/v1(?:beta|alpha)\/models$/.test(url.pathname))
    return sendJson(response, 200, { models: names.map(googleModel) });
  const [, one] = /^\/v1\/models\/(.+)$/.exec(url.pathname) ?? [];
  if (isRead && one !== undefined) return sendJson(response, 200, openModel(decodeURIComponent(one)));
  if (isRead && url.pathname === '/api/version') return sendJson(response, 200, { version: '0.0.0' });
  if (isRead && url.pathname === '/api/tags')
    return sendJson(response, 200, { models: names.map((name) => ({ name, model: name, details: {} })) });
  if (request.method === 'POST' && url.pathname === '/api/show')
    return sendJson(response, 200, { details: {}, model_info: {}, capabilities: ['completion', 'tools', 'vision'] });
  const message = `There is no ${request.method} ${url.pathname} here.`;
  sendJson(response, 404, { error: { message, type: 'not_found', code: 404 } });
}

/** With the fields of OpenAI and of Anthropic, which share the address. */
function openModel(id: string) {
  return {
    id,
    object: 'model',
    created: 0,
    owned_by: 'waymark',
    type: 'model',
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
  };
}

function googleModel(id: string) {
  return {
    name: `models/${id}`,
    displayName: id,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}
