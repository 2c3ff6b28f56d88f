/** Renders a canonical action as calls of a server. */
import type { ServerProfile } from '../profiles/profile.ts';
import type { CanonicalAction } from './action.ts';
import { renderBrowserOs } from './browseros.ts';
import { renderDevtools } from './chrome-devtools.ts';
import { withTab } from './current-tab.ts';
import { renderEmbedded } from './embedded.ts';
import { fitted } from './fit-call.ts';
import { renderOpenchrome } from './openchrome.ts';
import { renderPlain } from './plain.ts';
import { act, type Plan, PlanEnd, type RenderContext, type RenderEnd } from './plan.ts';
import { renderPlaywright } from './playwright.ts';

/**
 * @example
 * const plan = render(action, profile, context);
 * let next = plan.next();
 * while (!next.done) next = plan.next(await session.step(next.value));
 * if (next.value.status === 'unsupported') report(next.value.sentence);
 */
export function* render(action: CanonicalAction, profile: ServerProfile, context: RenderContext): Plan<RenderEnd> {
  return yield* ended(fitted(plan(action, profile, context), profile.dialect, context));
}

/** A server's own call. Its arguments may hold `{{tab}}` for the current tab. */
export function* renderCall(
  { tool, arguments: args }: { tool: string; arguments: Readonly<Record<string, unknown>> },
  profile: ServerProfile,
  context: RenderContext,
): Plan<RenderEnd> {
  return yield* ended(
    (function* (): Plan<void> {
      yield* act(tool, yield* withTab(args, profile, context));
    })(),
  );
}

function* ended(plan: Plan<void>): Plan<RenderEnd> {
  try {
    yield* plan;
    return { status: 'done' };
  } catch (error) {
    if (error instanceof PlanEnd) return error.end;
    throw error;
  }
}

function plan(action: CanonicalAction, profile: ServerProfile, context: RenderContext): Plan<void> {
  switch (profile.dialect) {
    case 'embedded':
      return renderEmbedded(action, context);
    case 'playwright':
      return renderPlaywright(action, context);
    case 'chrome-devtools':
      return renderDevtools(action, context);
    case 'openchrome':
      return renderOpenchrome(action, context);
    case 'browseros':
      return renderBrowserOs(action, context);
    case 'plain':
      return renderPlain(action, profile, context);
  }
}
