/** oc_progress_status: whether the calls so far make progress. */
import { z } from 'zod';
import { CALL_MS } from '../call.ts';
import { timeField } from '../locator.ts';
import { PROGRESS_LIMITS } from '../progress.ts';
import { defineTool } from '../tool.ts';

const { quiet, failures, sameFailure } = PROGRESS_LIMITS;

export const progressStatus = defineTool({
  name: 'oc_progress_status',
  description:
    `Whether the calls so far lead anywhere: progressing; stalling (${quiet.stalling} calls in a row without news, ${failures.stalling} failures in a row, or the same ` +
    `call failing ${sameFailure.stalling} times in a row); stuck (${quiet.stuck}, ${failures.stuck} or ${sameFailure.stuck}). News is a state of the page that was not there before, or something read that was not read in this state.`,
  input: z.strictObject({ ...timeField }),
  reads: true,
  timeoutMs: CALL_MS,
  run: async (_args, call) => JSON.stringify(call.context.progress.judge()),
});
