/** The agent that replays a transcript. It is deterministic and uses no model and no network. */
import type { Agent, Session, ToolCall } from '../episode/index.ts';
import { WaymarkError } from '../errors/index.ts';
import {
  type CanonicalAction,
  newRenderContext,
  type Plan,
  type RenderContext,
  type RenderEnd,
  type RenderedCall,
  render,
  renderCall,
  type ServerProfile,
  type ToolResult,
} from '../tools/index.ts';
import type { Move, Transcript } from './transcript.ts';

export interface ScriptedOptions {
  transcript: Transcript;
  profile: ServerProfile;
}

/** @example runEpisode(task, scripted({ transcript, profile }), server, options) */
export function scripted({ transcript, profile }: ScriptedOptions): Agent {
  const { servers, moves } = transcript;
  return {
    kind: 'scripted',
    async run(session) {
      if (servers && !servers.includes(profile.name))
        return { note: `The transcript is for ${servers.join(', ')}, not for ${profile.name}.` };
      const context = newRenderContext(session);
      for (const [index, move] of moves.entries()) {
        const { result, end } = await make(move, session, profile, context);
        if (end.status === 'unsupported') throw unsupported(end.sentence);
        check(move, index, end.status === 'failed' ? { isError: true, text: end.sentence } : result);
        if (session.signal.aborted) break;
      }
      const { answer } = transcript;
      return answer === undefined ? {} : { answer };
    },
  };
}

interface Made {
  /** The result of the last call of the move. */
  result?: ToolResult;
  end: RenderEnd;
}

/** An action may need several calls of the server: they are one step. Calls that only locate its element before are none. */
async function make(move: Move, session: Session, profile: ServerProfile, context: RenderContext): Promise<Made> {
  if ('call' in move) return makeCalls(renderCall(move.call, profile, context), undefined, session);
  return makeCalls(render(move.action, profile, context), move.action, session);
}

async function makeCalls(plan: Plan<RenderEnd>, action: CanonicalAction | undefined, session: Session): Promise<Made> {
  const first = await located(plan, session);
  if (first.done) return notTried(first.value, action, session);
  let end: RenderEnd = { status: 'done' };
  const result = await session.step(callOf(first.value), {
    canonical: action,
    followUp: (answer) => {
      const next = plan.next(answer);
      if (next.done) end = next.value;
      return next.done ? undefined : callOf(next.value);
    },
  });
  return { result, end };
}

/** The first call that does something. Those before it only find the element. */
async function located(plan: Plan<RenderEnd>, session: Session): Promise<IteratorResult<RenderedCall, RenderEnd>> {
  let next = plan.next();
  while (!next.done && next.value.purpose === 'locate') next = plan.next(await session.look(callOf(next.value)));
  return next;
}

/** An action whose element is not there fails, as it does on servers that look for the element themselves. One that the server can't do is no move. */
async function notTried(end: RenderEnd, action: CanonicalAction | undefined, session: Session): Promise<Made> {
  if (end.status !== 'failed' || !action) return { end };
  const { action: tool, ...rest } = action;
  const { kind, sentence } = end;
  const result = await session.step({ tool, arguments: rest }, { canonical: action, untried: { kind, sentence } });
  return { result, end };
}

function callOf({ tool, args }: RenderedCall): ToolCall {
  return { tool, arguments: { ...args } };
}

function check({ expect }: Move, index: number, result: Pick<ToolResult, 'isError' | 'text'> | undefined): void {
  if (!expect || !result) return;
  const at = `Move ${index + 1} of the transcript`;
  if (expect.isError !== undefined && expect.isError !== result.isError) {
    throw mismatch(
      `${at} expected ${expect.isError ? 'an error' : 'no error'}, but the server answered: ${result.text.slice(0, 200)}`,
    );
  }
  if (expect.contains !== undefined && !result.text.includes(expect.contains)) {
    throw mismatch(`${at} expected "${expect.contains}" in the answer, which is: ${result.text.slice(0, 200)}`);
  }
}

/** The action was the right one; this server can't do it. */
function unsupported(message: string): WaymarkError {
  return new WaymarkError({ code: 'action_unsupported', message });
}

function mismatch(message: string): WaymarkError {
  return new WaymarkError({ code: 'transcript_mismatch', message });
}
