/** The preflight of a launch or of a pack: what would keep it from being made or scored. Nothing is made. */
import { z } from '@hono/zod-openapi';
import { WaymarkError } from '../../errors/index.ts';
import { warningSchema } from './respond.ts';

export const scoringSchema = z.object({ programmatic: z.int(), judge_required: z.int(), unscorable: z.int() });

export const preflightSchema = z.object({
  ready: z.boolean(),
  blockers: z.array(z.object({ code: z.string(), message: z.string(), fix: z.string().nullable() })),
  warnings: z.array(warningSchema).readonly(),
  items: z.int(),
  scoring: scoringSchema.nullable(),
});
type Preflight = z.infer<typeof preflightSchema>;
export type Blocker = Preflight['blockers'][number];

/** What `plan` refuses as the user's mistake is one more blocker. */
export async function preflightAnswer(
  blockers: readonly Blocker[],
  plan: () => Planned | Promise<Planned>,
): Promise<Preflight> {
  try {
    const { warnings, items, scoring } = await plan();
    return { ready: blockers.length === 0, blockers: [...blockers], warnings, items: items.length, scoring };
  } catch (thrown) {
    if (!(thrown instanceof WaymarkError && thrown.fault === 'usage')) throw thrown;
    const refused = { code: thrown.code, message: thrown.message, fix: thrown.hint ?? null };
    return { ready: false, blockers: [...blockers, refused], warnings: [], items: 0, scoring: null };
  }
}

interface Planned {
  readonly warnings: Preflight['warnings'];
  readonly items: readonly unknown[];
  readonly scoring: z.infer<typeof scoringSchema>;
}
