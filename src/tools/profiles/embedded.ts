/** The embedded server, in this process. */

import { z } from 'zod';
import type { FAILURE_KINDS } from '../../reward/index.ts';
import type { ToolResult } from '../connect/tool-client.ts';
import { PROGRESS_META } from '../embedded/progress.ts';
import { observesBy } from './observe-only.ts';
import type { ServerProfile } from './profile.ts';

const Failure = z.object({ kind: z.string() });
const Reported = z.object({
  _meta: z.object({ [PROGRESS_META]: z.object({ status: z.enum(['progressing', 'stalling', 'stuck']) }) }),
});
/** Kinds of the embedded server for which the scorer has another name. */
const KINDS: Readonly<Record<string, (typeof FAILURE_KINDS)[number]>> = { not_found: 'element_not_found' };

export const EMBEDDED_PROFILE: ServerProfile = {
  name: 'embedded',
  attach: 'memory',
  dialect: 'embedded',
  navigate: { tool: 'navigate', argument: 'url' },
  observe: { tool: 'read_page' },
  tabs: { by: 'target-id', argument: 'tabId', listTool: 'tabs_context' },
  observes: observesBy(['read_page', 'find', 'wait_for', 'tabs_context', 'page_screenshot', 'oc_progress_status']),
  errorKind,
  progress: ({ extra }) => Reported.safeParse(extra).data?._meta[PROGRESS_META].status,
};

function errorKind({ structured }: ToolResult): string | undefined {
  const failure = Failure.safeParse(structured);
  return failure.success ? (KINDS[failure.data.kind] ?? failure.data.kind) : undefined;
}
