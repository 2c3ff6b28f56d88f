/** Renders canonical actions for a server that is known by its configuration: its tools for navigating and reading, and its `actions`. */
import type { ServerProfile } from '../profiles/profile.ts';
import type { CanonicalAction } from './action.ts';
import { renderMapped } from './mapped.ts';
import { act, type Plan, type RenderContext, unsupported } from './plan.ts';

export function* renderPlain(action: CanonicalAction, profile: ServerProfile, context: RenderContext): Plan<void> {
  const { navigate, observe, name } = profile;
  const calls = profile.actions?.[action.action];
  if (calls) {
    yield* renderMapped(action, calls, profile, context);
  } else if (action.action === 'navigate' && !/^(?:back|forward|reload)$/.test(action.url)) {
    yield* act(navigate.tool, { [navigate.argument]: action.url });
  } else if (action.action === 'read') {
    yield* act(observe.tool, { ...observe.args });
  } else {
    const what = action.action === 'navigate' ? `"${action.url}"` : `"${action.action}"`;
    if (profile.actions)
      throw unsupported(
        `The actions of ${name} do not say how ${what} is done; add it there, or write this step as the server's own call.`,
      );
    throw unsupported(
      `Nothing is known of how ${name} does ${what}; write this step as the server's own call, or name its dialect.`,
    );
  }
}
