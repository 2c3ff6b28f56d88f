/** Renders canonical actions for a server of which only the tools for navigating and reading are known. */
import type { ServerProfile } from '../profiles/profile.ts';
import type { CanonicalAction } from './action.ts';
import { act, type Plan, unsupported } from './plan.ts';

export function* renderPlain(action: CanonicalAction, profile: ServerProfile): Plan<void> {
  const { navigate, observe, name } = profile;
  if (action.action === 'navigate' && !/^(?:back|forward|reload)$/.test(action.url)) {
    yield* act(navigate.tool, { [navigate.argument]: action.url });
  } else if (action.action === 'read') {
    yield* act(observe.tool, { ...observe.args });
  } else {
    const what = action.action === 'navigate' ? `"${action.url}"` : `"${action.action}"`;
    throw unsupported(
      `Nothing is known of how ${name} does ${what}; write this step as the server's own call, or name its dialect.`,
    );
  }
}
