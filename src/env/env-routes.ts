/** The HTTP interface of an environment: reset, step, evaluate, close. JSON in, JSON out. */
import { z } from 'zod';
import { toolCallSchema } from '../episode/index.ts';
import { messageOf, sentenceOf, statusOf, WaymarkError } from '../errors/index.ts';
import type { RunStore } from '../runs/local.ts';
import type { EnvSession } from './env-session.ts';
import type { EnvSessions } from './env-sessions.ts';

export interface EnvContext {
  sessions: EnvSessions;
  store: Pick<RunStore, 'grades'>;
  taskIds: readonly string[];
  /** Rewards and verdicts are given after each step. */
  exposeReward: boolean;
}

const sessionId = z.string().min(1);
const answer = z.string().optional();
const resetBody = z.strictObject({ task: z.string().min(1), seed: z.int().optional() });
const stepBody = z.strictObject({ sessionId, call: toolCallSchema });
const endBody = z.strictObject({ sessionId, answer });

const ROUTES: Readonly<Record<string, (body: unknown, context: EnvContext) => Promise<unknown>>> = {
  async '/reset'(body, { sessions, taskIds }) {
    const { task, seed } = read(resetBody, body);
    if (!taskIds.includes(task))
      throw invalid(`There is no task "${task}".`, `There are: ${taskIds.slice(0, 50).join(', ')}.`);
    const session = await sessions.open(task, seed);
    const { task: about, tools } = await session.begun;
    const { url, title } = session.known.evidence ?? { url: about.startUrl, title: '' };
    return {
      sessionId: session.id,
      goal: about.goal,
      tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
      observation: { url, title },
      info: { ...(await infoOf(session)), trial: session.attempt.trial },
    };
  },
  async '/step'(body, { sessions, exposeReward }) {
    const { sessionId: id, call } = read(stepBody, body);
    const session = sessions.get(id);
    const { result, done, truncated } = await session.step(call);
    const { contract } = session.known;
    return {
      result: result ? { isError: result.isError, text: result.text, images: result.images } : null,
      done,
      truncated,
      ...(exposeReward ? { reward: session.takeReward(), verdict: contract?.verdict } : {}),
      info: await infoOf(session),
    };
  },
  async '/evaluate'(body, { sessions, store }) {
    const { sessionId: id, answer: given } = read(endBody, body);
    const session = sessions.get(id);
    const { status, reason } = await session.finish(given);
    const { evidence, contract } = session.known;
    return {
      status,
      reason,
      verdict: contract?.verdict,
      contract,
      evidence,
      grades: await store.grades(session.attempt),
    };
  },
  async '/close'(body, { sessions }) {
    const { sessionId: id, answer: given } = read(endBody, body);
    await sessions.get(id).finish(given);
    return { closed: true };
  },
};

async function infoOf(session: EnvSession): Promise<Record<string, unknown>> {
  const { budget } = await session.begun;
  return { steps: budget.steps, timeMs: budget.time };
}

const MAX_BODY = 1_000_000;

export async function answerRequest(request: Request, context: EnvContext): Promise<Response> {
  try {
    const { pathname } = new URL(request.url);
    const route = ROUTES[pathname];
    if (!route || request.method !== 'POST') {
      const message = `There is no ${request.method} ${pathname}; there are POST ${Object.keys(ROUTES).join(', ')}.`;
      throw new WaymarkError({ code: 'not_found', message });
    }
    return Response.json(await route(await bodyOf(request), context));
  } catch (thrown) {
    if (thrown instanceof WaymarkError) return problem(statusOf(thrown.code), thrown.toJSON());
    return problem(500, { code: 'internal', message: messageOf(thrown) });
  }
}

export function problem(status: number, error: unknown): Response {
  return Response.json({ error }, { status, ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}) });
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.length > MAX_BODY)
    throw new WaymarkError({ code: 'payload_too_large', message: `A body has at most ${MAX_BODY} characters.` });
  try {
    return JSON.parse(text);
  } catch {
    // Where exactly it is broken matters less than that it must be JSON.
    throw new WaymarkError({ code: 'json_malformed', message: 'The body is not JSON.' });
  }
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw invalid(`Invalid request body. ${sentenceOf(parsed.error)}`);
}

function invalid(message: string, hint?: string): WaymarkError {
  return new WaymarkError({ code: 'request_invalid', message, ...(hint === undefined ? {} : { hint }) });
}
